// Holds the claim on a decision while somebody works on its page: every half minute it
// says so, if anything was typed, clicked or scrolled since, and hears whether somebody
// took it over. Two minutes before the end it asks; one key answers. Leaving lets it go.
// Without it: a claim lasts its fifteen minutes, and its buttons load the page again.
const LOOK_MS = 30_000;
const TICK_MS = 1_000;

let active = false;
let looked = Date.now();
let busy = false;
// What somebody pressed while another question was on its way: asked as soon as that is answered.
let pressed = null;

const section = () => document.getElementById("claim");
const ended = (box) => Date.parse(box.dataset.until) <= Date.now();

function form(box, asked) {
  const sent = new FormData();
  sent.set("do", asked);
  sent.set("fence", box.dataset.fence);
  const token = document.querySelector("#verdict-form [name=csrfmiddlewaretoken]");
  sent.set("csrfmiddlewaretoken", token?.value ?? "");
  return sent;
}

function clock(iso) {
  const at = new Date(iso);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
}

function show(box) {
  const { state, until, warn } = box.dataset;
  let shown = state;
  if (state === "mine") {
    const left = (Date.parse(until) - Date.now()) / 1000;
    if (left <= 0) shown = "ended";
    else if (left <= Number(warn)) shown = "warn";
  }
  for (const part of box.querySelectorAll("[data-when]")) {
    const hidden = part.dataset.when !== shown;
    if (part.hidden !== hidden) part.hidden = hidden;
  }
}

function take(box, answer) {
  const before = box.dataset.state;
  const lost = before === "mine" && answer.state === "free";
  // A claim that ended and that nobody took is still the reader's to take again.
  box.dataset.state = lost ? "mine" : answer.state;
  box.dataset.fence = answer.fence ?? "";
  box.dataset.until = answer.until ?? new Date(0).toISOString();
  if (answer.until) {
    for (const time of box.querySelectorAll("[data-claim-until]")) {
      time.textContent = clock(answer.until);
    }
  }
  box.querySelector("[data-claim-name]").textContent = answer.name;
  box.querySelector("[data-claim-why]").textContent = answer.why ? `: “${answer.why}”` : "";
  show(box);
}

async function ask(asked) {
  const box = section();
  if (!box || busy) return;
  busy = true;
  looked = Date.now();
  try {
    const answer = await fetch(box.dataset.url, {
      method: "POST",
      body: form(box, asked),
      headers: { Accept: "application/json" },
      redirect: "error",
    });
    if (answer.ok && box.isConnected) take(box, await answer.json());
  } catch {
    // No answer now; the next look asks again.
  } finally {
    busy = false;
    const next = box.isConnected && pressed;
    pressed = null;
    if (next) ask(next);
  }
}

function look() {
  const box = section();
  if (!box) return;
  show(box);
  if (document.hidden || Date.now() - looked < LOOK_MS) return;
  const mine = box.dataset.state === "mine" && !ended(box);
  ask(mine && active ? "beat" : "look");
  active = false;
}

for (const kind of ["pointerdown", "keydown", "input", "scroll"]) {
  document.addEventListener(kind, () => { active = true; }, { capture: true, passive: true });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-claim]");
  if (!button) return;
  event.preventDefault();
  if (busy) pressed = button.dataset.claim;
  else ask(button.dataset.claim);
});

// The browser sends this also while it goes away; what was taken since is not let go by it.
window.addEventListener("pagehide", () => {
  const box = section();
  if (box?.dataset.state !== "mine" || !box.dataset.fence) return;
  navigator.sendBeacon(box.dataset.url, form(box, "release"));
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted && section()?.dataset.state === "mine") ask("take");
});
document.addEventListener("visibilitychange", look);
setInterval(look, TICK_MS);
