// Takes away "Show all" where nothing is folded, which only the drawn page can tell.
// Without it: such a link may stand below a text that is shown whole already.
function settle() {
  for (const more of document.querySelectorAll(".fold__more:not([open])")) {
    const text = more.parentElement.querySelector(".fold__text");
    if (text?.clientHeight) more.hidden = text.scrollHeight <= text.clientHeight + 1;
  }
}

let waiting = 0;
window.addEventListener("resize", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(settle);
});
document.addEventListener("htmx:afterSettle", settle);
document.addEventListener("toggle", settle, true);
document.fonts.ready.then(settle);
