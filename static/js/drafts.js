// Saves what is typed for a verdict on the server, a moment after each change, and when
// the page is left. So it survives signing out, the end of a claim and another device.
// Without it: it is saved whenever the form or one of its buttons is sent.
const PAUSE_MS = 800;
const KEEPALIVE_BYTES = 60_000;

let timer = 0;
let running = null;

const mark = () => document.querySelector("[data-draft]");
const form = () => document.getElementById("verdict-form");

function say(box, text) {
  box.hidden = false;
  box.textContent = text;
}

async function save() {
  clearTimeout(timer);
  timer = 0;
  const box = mark();
  if (!box || !form()) return;
  running?.abort();
  const mine = new AbortController();
  running = mine;
  const sent = new URLSearchParams(new FormData(form()));
  try {
    const answer = await fetch(box.dataset.url, {
      method: "POST",
      body: sent,
      signal: mine.signal,
      redirect: "error",
      keepalive: sent.toString().length < KEEPALIVE_BYTES,
    });
    if (!answer.ok) throw new Error(String(answer.status));
    const now = new Date();
    const two = (number) => String(number).padStart(2, "0");
    say(box, `${box.dataset.saved} ${two(now.getHours())}:${two(now.getMinutes())}`);
  } catch {
    if (mine.signal.aborted) return;
    say(box, box.dataset.failed);
    timer = setTimeout(save, 10 * PAUSE_MS);
  }
}

function changed(event) {
  if (!form() || event.target.form !== form()) return;
  if (["takeover_why", "aside_why", "until", "day"].includes(event.target.name)) return;
  clearTimeout(timer);
  timer = setTimeout(save, PAUSE_MS);
}

document.addEventListener("input", changed);
document.addEventListener("change", changed);

// What is sent with the form needs no saving, and must not arrive after it.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== form()) return;
    clearTimeout(timer);
    timer = 0;
    running?.abort();
  },
  true,
);
function flush() {
  if (timer) save();
}
window.addEventListener("pagehide", flush);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) flush();
});
