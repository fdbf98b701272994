// A form marked data-try sends its call to the API as the person who is signed in, and
// shows the answer. Without it: the same call stands above the form as a line for a shell.
function segment(name) {
  const written = name.replace(/[~/\\]/g, (char) => `~${char.charCodeAt(0).toString(16).toUpperCase()}`);
  if (/^\.+$/.test(written)) return written.replaceAll(".", "~2E");
  return encodeURIComponent(written) || "~";
}

function call(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { "X-CSRFToken": document.querySelector("[data-csrf] input").value };
  for (const input of form.querySelectorAll("[data-place]")) {
    if (input.dataset.place === "path") path = path.replace(`{${input.name}}`, segment(input.value));
    else if (!input.value) continue;
    else if (input.dataset.place === "header") headers[input.name] = input.value;
    else query.append(input.name, input.value);
  }
  const body = form.querySelector("[data-body]")?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const asked = query.size ? `${path}?${query}` : path;
  return fetch(asked, { method: form.dataset.method, headers, body });
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!("try" in form.dataset)) return;
  event.preventDefault();
  const status = form.querySelector("[data-status]");
  const shown = form.querySelector("[data-answer]");
  status.textContent = status.dataset.sending;
  try {
    const answer = await call(form);
    const text = await answer.text();
    status.textContent = `${answer.status} ${answer.statusText}`;
    try {
      shown.textContent = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      shown.textContent = text;
    }
    shown.hidden = false;
  } catch {
    status.textContent = status.dataset.unanswered;
  }
});

// A link to an operation opens it.
function open() {
  const wanted = document.getElementById(location.hash.slice(1));
  const more = wanted?.querySelector("details");
  if (more) more.open = true;
}
window.addEventListener("hashchange", open);
open();
