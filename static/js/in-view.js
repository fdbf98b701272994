// Scrolls a wide drawing sideways until what it is about is in the middle.
// Without it: the drawing begins at its left edge and is scrolled by hand.
for (const drawing of document.querySelectorAll("[data-in-view]")) {
  const scroller = drawing.parentElement;
  const here = drawing.querySelector(drawing.dataset.inView)?.getBoundingClientRect();
  if (!here) continue;
  const frame = scroller.getBoundingClientRect();
  scroller.scrollLeft += here.left + here.width / 2 - (frame.left + frame.width / 2);
}
