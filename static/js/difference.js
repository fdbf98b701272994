// Shows what was changed in a text that started as an old one, while it is typed.
// Without it: the server shows the same when the form comes back.
const WAIT = 150;
const MOST = 600;
const WORD = /\s+|[\p{L}\p{M}\p{N}]+(?:['’.,:/-][\p{L}\p{N}]+)*|./gsu;
const timers = new WeakMap();

const words = (text) => text.trim().match(WORD) ?? [];

// The longest common subsequence of what lies between the equal beginning and end. Where
// that is too long to be looked at on each key, it counts as replaced as a whole.
function difference(before, after) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    ["same", before.slice(0, start)],
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ["same", end ? before.slice(-end) : []],
  ];
}

function between(before, after) {
  if (before.length > MOST || after.length > MOST) return [["del", before], ["ins", after]];
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        before[i] === after[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  const parts = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j])
      parts.push(["same", [before[i++]]]), (j += 1);
    else if (
      j === after.length ||
      (i < before.length && common[(i + 1) * width + j] >= common[i * width + j + 1])
    )
      parts.push(["del", [before[i++]]]);
    else parts.push(["ins", [after[j++]]]);
  }
  return parts;
}

// Neighbours of one kind become one mark; what was deleted stands before what replaced it.
function joined(parts) {
  const runs = [];
  let gone = "";
  let come = "";
  const flush = () => {
    if (gone) runs.push(["del", gone]);
    if (come) runs.push(["ins", come]);
    gone = come = "";
  };
  for (const [kind, tokens] of parts) {
    const text = tokens.join("");
    if (!text) continue;
    const blank = kind === "same" && !text.trim() && gone && come;
    if (kind === "del") gone += text;
    else if (kind === "ins") come += text;
    else if (blank) (gone += text), (come += text);
    else flush(), runs.push(["same", text]);
  }
  flush();
  return runs;
}

function mark(kind, text, box) {
  if (kind === "same") return document.createTextNode(text);
  const element = document.createElement(kind);
  const [open, close] = [document.createElement("span"), document.createElement("span")];
  open.className = close.className = "hidden";
  open.textContent = `[${kind === "del" ? box.dataset.deleted : box.dataset.inserted} `;
  close.textContent = "]";
  element.append(open, text, close);
  return element;
}

function show(box) {
  const old = box.querySelector("template[data-old]").content.textContent;
  const typed = box.querySelector("textarea").value;
  const shown = box.querySelector(".revised__difference");
  const [before, after] = [words(old), words(typed)];
  const same = before.join("") === after.join("");
  shown.hidden = same;
  // What the server said in words is about what was sent, not about what is typed now.
  shown.querySelector(".revised__changes")?.remove();
  const runs = same ? [] : joined(difference(before, after));
  shown.querySelector("[data-difference]").replaceChildren(...runs.map(([kind, text]) => mark(kind, text, box)));
}

document.addEventListener("input", (event) => {
  const box = event.target.closest?.("[data-revised]");
  if (!box) return;
  clearTimeout(timers.get(box));
  timers.set(box, setTimeout(() => show(box), WAIT));
});
