// Picks a passage out of a text by selecting it: with the mouse any run of words, with the
// arrow keys whole sentences and paragraphs, more of them with Shift; Enter uses it.
// Without it: sentences are ticked, and the first and the last one bound the passage.
const MOST_SAID = 160;

const boxOf = (node) => (node instanceof Element ? node : node?.parentElement)?.closest("[data-present-text]");
const sentencesOf = (box) => [...box.querySelectorAll(".sentence")];
// The server counts characters; a string here counts some of them twice.
const count = (text) => Array.from(text).length;

// The part of each sentence that a range holds: where it begins in the text, and its words.
function pieces(box, range) {
  const found = [];
  let paragraph = null;
  for (const sentence of sentencesOf(box)) {
    if (!range.intersectsNode(sentence)) continue;
    const own = document.createRange();
    own.selectNodeContents(sentence);
    const lead = own.cloneRange();
    if (range.compareBoundaryPoints(Range.START_TO_START, own) > 0) own.setStart(range.startContainer, range.startOffset);
    if (range.compareBoundaryPoints(Range.END_TO_END, own) < 0) own.setEnd(range.endContainer, range.endOffset);
    const text = own.toString();
    if (!text) continue;
    lead.setEnd(own.startContainer, own.startOffset);
    const apart = paragraph && paragraph !== sentence.parentElement ? "\n\n" : "";
    paragraph = sentence.parentElement;
    found.push({ sentence, text, apart, start: Number(sentence.dataset.start) + count(lead.toString()) });
  }
  return found;
}

function note(box, range) {
  const present = box.closest("[data-present]");
  const form = box.closest("form");
  const parts = range ? pieces(box, range) : [];
  const quote = parts.map((one) => one.apart + one.text).join("");
  const words = quote.trim();
  const [part, said] = [form.querySelector("[data-present-part]"), form.querySelector("[data-present-said]")];
  const inside = new Set(words ? parts.map((one) => one.sentence) : []);
  for (const sentence of sentencesOf(box)) sentence.ariaSelected = String(inside.has(sentence));
  if (!words) {
    part.value = "";
    said.textContent = present.dataset.none;
    return;
  }
  const last = parts.at(-1);
  part.value = `${parts[0].start}-${last.start + count(last.text)}`;
  form.querySelector("[data-present-quote]").value = quote;
  const number = words.split(/\s+/u).length;
  const shown = words.length > MOST_SAID ? `${words.slice(0, MOST_SAID / 2)} … ${words.slice(-MOST_SAID / 2)}` : words;
  said.textContent = `${number} ${present.dataset.words} “${shown}”`;
}

function select(box, first, last) {
  const selection = document.getSelection();
  selection.setBaseAndExtent(first, 0, last, last.childNodes.length);
  note(box, selection.getRangeAt(0));
}

// Where the keys are: the sentence that a selection began with, and the one it reaches to.
const places = new WeakMap();

function reach(box, sentence, { more = false, from = sentence } = {}) {
  const all = sentencesOf(box);
  const anchor = more ? (places.get(box)?.anchor ?? sentence) : from;
  places.set(box, { anchor, active: sentence });
  const [one, other] = [all.indexOf(anchor), all.indexOf(sentence)];
  select(box, all[Math.min(one, other)], all[Math.max(one, other)]);
  box.setAttribute("aria-activedescendant", sentence.id);
  sentence.scrollIntoView({ block: "nearest" });
}

function move(box, key, more) {
  const all = sentencesOf(box);
  const active = places.get(box)?.active;
  if (!active || !box.contains(active)) {
    const own = [...(box.querySelector("[data-here]") ?? all[0].parentElement).querySelectorAll(".sentence")];
    return reach(box, own.at(-1), { from: own[0] });
  }
  const at = all.indexOf(active);
  if (key === "Home" || key === "End") return reach(box, key === "Home" ? all[0] : all.at(-1), { more });
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const next = all[at + (key === "ArrowRight" ? 1 : -1)] ?? active;
    return reach(box, next, { more });
  }
  const forward = key === "ArrowDown";
  const paragraph = active.parentElement;
  const next = (forward ? paragraph.nextElementSibling : paragraph.previousElementSibling) ?? paragraph;
  const own = [...next.querySelectorAll(".sentence")];
  // What grows upwards reaches to the first sentence of the paragraph above, else to the last.
  if (more) return reach(box, forward ? own.at(-1) : own[0], { more });
  return reach(box, own.at(-1), { from: own[0] });
}

const KEYS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"]);

document.addEventListener("keydown", (event) => {
  const box = event.target.matches?.("[data-present-text]") ? event.target : null;
  if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
  if (KEYS.has(event.key)) move(box, event.key, event.shiftKey);
  else if (event.key === "Enter") box.closest("form").requestSubmit();
  else if (event.key === "Escape" && document.getSelection().toString()) {
    document.getSelection().removeAllRanges();
    places.delete(box);
    note(box, null);
  } else return;
  event.preventDefault();
});

// A click takes the sentence, with Shift all up to it; a selection by dragging stays as it is.
document.addEventListener("click", (event) => {
  const sentence = event.target.closest?.(".sentence");
  const box = sentence && boxOf(sentence);
  if (!box) return;
  event.preventDefault();
  if (document.getSelection().toString() && !event.shiftKey) return;
  reach(box, sentence, { more: event.shiftKey });
});

document.addEventListener("selectionchange", () => {
  const selection = document.getSelection();
  const box = boxOf(selection.anchorNode);
  if (!box || selection.isCollapsed) return;
  note(box, selection.getRangeAt(0));
});

// With a script the text is one control, in which keys move; the boxes to tick are put away.
function prepare() {
  for (const box of document.querySelectorAll("[data-present-text]:not([role])")) {
    box.setAttribute("role", "listbox");
    box.setAttribute("aria-multiselectable", "true");
    box.tabIndex = 0;
    for (const paragraph of box.children) paragraph.setAttribute("role", "none");
    for (const label of sentencesOf(box)) {
      // Nothing is left to label, and a label may not be an option.
      const sentence = document.createElement("span");
      for (const { name, value } of label.attributes) sentence.setAttribute(name, value);
      label.querySelector("input").remove();
      sentence.append(...label.childNodes);
      sentence.setAttribute("role", "option");
      sentence.ariaSelected = "false";
      label.replaceWith(sentence);
    }
    const form = box.closest("form");
    form.querySelector("[data-present-part]").disabled = false;
    form.querySelector("[data-present-quote]").disabled = false;
    const here = box.querySelector("[data-here]");
    if (here) box.scrollTop = here.offsetTop - box.offsetTop - box.clientHeight / 3;
  }
}

// Where there is no passage yet, the text to pick one from need not be asked for.
function open() {
  for (const more of document.querySelectorAll("details[data-unpicked]")) {
    more.removeAttribute("data-unpicked");
    more.open = true;
  }
}

document.addEventListener("htmx:afterSettle", (event) => {
  prepare();
  open();
  // A link that was followed is gone with the text that it stood beside.
  const present = event.target.matches?.(".present") ? event.target : null;
  if (present && document.activeElement === document.body) (present.querySelector("[data-present-text]") ?? present.querySelector("input[type=search]"))?.focus();
  const picked = event.target.id?.startsWith("picked-") && event.target.querySelector("input[type=radio]");
  if (!picked) return;
  picked.dispatchEvent(new Event("change", { bubbles: true }));
  const more = document.getElementById(event.target.id.replace("picked-", "pick-"));
  if (more) more.open = false;
  picked.focus();
});
prepare();
open();
