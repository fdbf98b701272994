// Closes an open menu on Escape and on a click elsewhere, and opens dialogs.
// Without it: a menu is a details element, which its own summary closes.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[data-closes-outside][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details[data-closes-outside][open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
