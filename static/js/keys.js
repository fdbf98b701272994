// Single keys: j k move, a s d choose a verdict, p cites the passage shown, c claims, n goes on,
// b goes back, u undoes, / searches, ? lists them. Only Ctrl or Cmd with Enter records anything, and not from
// within another form. Enter and Space keep their own meaning.
// Keys rest while somebody types, while a dialog is open, while a request runs and while the
// page is being left: none acts on an item that is not on screen yet. They can be switched
// off for this browser.
// Without it: every key has a link or a control that does the same.
const root = document.documentElement;
const onMac = /Mac|iPhone|iPad/.test(navigator.platform);

function typing(target) {
  return (
    target.isContentEditable ||
    target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=submit])")
  );
}

function move(step) {
  const items = [...document.querySelectorAll("[data-item]")].filter((item) => item.offsetParent);
  if (!items.length) return;
  const at = items.indexOf(document.activeElement);
  const here = at >= 0 ? at : items.findIndex((item) => item.ariaCurrent === "true");
  const next = Math.min(items.length - 1, Math.max(0, here < 0 ? 0 : here + step));
  items[next].focus();
  items[next].scrollIntoView({ block: "nearest" });
}

function choose(key) {
  const radio = document.querySelector(`input[data-key="${key}"]:not(:disabled)`);
  if (!radio) return false;
  check(radio);
  radio.focus();
  return true;
}

// Cites the present passage that the page shows, of one support after the other, and then goes
// on to what is to be written for the verdict that was chosen. It picks nothing a second time.
function pick() {
  const shown = [...document.querySelectorAll("[data-pick]")];
  if (!shown.length) return false;
  const { form } = shown[0];
  const revises = form.elements.verdict.value === "supersede";
  const lacks = (one) => {
    const kept = form.querySelector(`[name="${one.dataset.pick}"][value="present"]`);
    const sent = new FormData(form);
    return [one, revises && kept].filter((field) => field && !sent.has(field.name));
  };
  const left = shown.filter((one) => lacks(one).length);
  const here = left.shift();
  if (here) lacks(here).forEach(check);
  const { conclusion, explanation } = form.elements;
  const text = revises && conclusion.value === conclusion.defaultValue ? conclusion : explanation;
  const onward = text.checkVisibility() ? text : here;
  (left[0] ?? onward)?.focus();
  if (document.activeElement === conclusion) conclusion.select();
  return true;
}

function check(radio) {
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}

function elsewhere(target, button) {
  const form = target.closest("form");
  return form !== null && form !== button.form;
}

function follow(link) {
  link?.click();
  return Boolean(link);
}

// Takes it, keeps it, or opens the way to take it over: whichever is on screen.
function claim() {
  const shown = [...document.querySelectorAll("[data-claim]")].find((one) => one.checkVisibility());
  if (!shown?.matches("summary")) return follow(shown);
  shown.parentElement.open = true;
  shown.parentElement.querySelector("textarea").focus();
  return true;
}

function search() {
  const boxes = [...document.querySelectorAll("[data-search]")];
  const box = boxes.find((one) => one.checkVisibility());
  if (!box) return follow(document.querySelector(".bar__find"));
  box.focus();
  box.select();
  return true;
}

function act(key) {
  if (key === "j") return move(1) ?? true;
  if (key === "k") return move(-1) ?? true;
  if (key === "a" || key === "s" || key === "d") return choose(key);
  if (key === "p") return pick();
  if (key === "c") return claim();
  if (key === "n") return follow(document.querySelector("[data-next]"));
  if (key === "b") return follow(document.querySelector("[data-back]"));
  if (key === "u") return follow(document.querySelector("[data-undo]"));
  if (key === "/") return search();
  if (key === "?") return document.getElementById("keys-dialog")?.showModal() ?? true;
  return false;
}

// A download looks like leaving, too: after a while the keys work again.
const LEAVING_MS = 5_000;
let left = 0;
window.addEventListener("beforeunload", () => { left = Date.now(); });
window.addEventListener("pageshow", () => { left = 0; });

document.addEventListener("keydown", (event) => {
  if (Date.now() - left < LEAVING_MS || event.defaultPrevented || event.isComposing) return;
  // What loads beside the reader's work keeps no key from it.
  if (document.querySelector("dialog[open], .htmx-request:not([data-quiet])")) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const button = document.querySelector("[data-commits]");
    if (!button || event.repeat || elsewhere(event.target, button)) return;
    event.preventDefault();
    button.click();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || root.dataset.keys === "off") return;
  if (typing(event.target)) return;
  const moves = event.key === "j" || event.key === "k";
  if (event.repeat && !moves) return;
  if (act(event.key)) event.preventDefault();
});

function show() {
  for (const box of document.querySelectorAll("[data-keys-switch]")) {
    box.checked = root.dataset.keys !== "off";
  }
  if (!onMac) return;
  for (const glyph of document.querySelectorAll("[data-chord]")) {
    glyph.textContent = glyph.dataset.chord === "enter" ? "⌘ ↵" : "⌘";
  }
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-keys-switch]")) return;
  const off = !event.target.checked;
  if (off) root.dataset.keys = "off";
  else delete root.dataset.keys;
  document.cookie = `keys=${off ? "off" : ""}; path=/; max-age=${off ? 31536000 : 0}; SameSite=Lax`;
});

document.addEventListener("htmx:afterSwap", show);
show();
