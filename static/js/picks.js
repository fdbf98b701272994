// After a filter was chosen and a part of the page swapped, the focus stays at that filter.
// Without it: choosing a filter loads the page, and the focus begins at its top.
let last = "";

document.addEventListener("click", (event) => {
  const pick = event.target.closest(".pick");
  if (pick) last = pick.querySelector("summary").id;
});

document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement !== document.body) return;
  document.getElementById(last)?.focus();
});
