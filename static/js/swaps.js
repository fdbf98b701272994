// After a part of the page was replaced: says what is new, and puts the focus where
// the reader goes on. When no answer came, or one that no page of ours made, says that
// and leaves the page as it is.
// Without it: there are no swaps, every answer is a full page.
function announce(text) {
  const region = document.getElementById("announcement");
  if (region) region.textContent = text;
}

// What loads beside the reader's work: it takes no focus, and says nothing when it fails.
const quiet = (event) => event.detail?.elt?.closest?.("[data-quiet]");

document.addEventListener("htmx:afterSettle", (event) => {
  if (quiet(event)) return;
  const refusal = document.getElementById("refusal");
  if (refusal) {
    refusal.focus();
    refusal.scrollIntoView({ block: "nearest" });
    return;
  }
  if (event.detail.target === document.body) return arrived();
  const heading = document.querySelector("#rows h1");
  if (heading) announce(heading.textContent.trim());
});

// Another page took the place of this one: reading begins at its heading.
function arrived() {
  const heading = document.querySelector("h1[tabindex]");
  const said = document.getElementById("messages")?.textContent.trim() ?? "";
  window.scrollTo(0, 0);
  heading?.focus({ preventScroll: true });
  announce(`${said} ${heading?.textContent.trim() ?? ""}`.trim());
}

function unanswered(event) {
  if (event && quiet(event)) return;
  const region = document.getElementById("messages");
  if (!region) return;
  const item = document.createElement("li");
  item.className = "notice notice--error";
  item.textContent = region.dataset.unanswered;
  const list = document.createElement("ul");
  list.append(item);
  region.replaceChildren(list);
  region.scrollIntoView({ block: "nearest" });
}

// Every page marks its answers. What a proxy says in its place, or the server when it
// broke, must not take the place of what somebody typed.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status >= 400 && event.detail.requestConfig?.elt?.closest("[data-quiet]")) {
    event.detail.shouldSwap = false;
    return;
  }
  if (xhr.status < 400 || xhr.getResponseHeader("Console-Page")) return;
  event.detail.shouldSwap = false;
  unanswered();
});

document.addEventListener("htmx:sendError", unanswered);
document.addEventListener("htmx:timeout", unanswered);
