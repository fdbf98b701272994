// Shows differences side by side or in one column, for this browser. The server reads the
// cookie, so no page flashes, and nothing is loaded anew.
// Without it: the switch loads the page anew, what is typed kept.
const root = document.documentElement;

document.addEventListener(
  "click",
  (event) => {
    const chosen = event.target.closest?.("[data-sides] .sides__one");
    if (!chosen || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const inline = (chosen.value || chosen.dataset.value) === "inline";
    if (inline) root.dataset.diff = "inline";
    else delete root.dataset.diff;
    document.cookie = `diff=${inline ? "inline" : ""}; path=/; max-age=${inline ? 31536000 : 0}; SameSite=Lax`;
    for (const one of chosen.parentElement.children) {
      const state = one.matches("button") ? "aria-pressed" : "aria-current";
      one.setAttribute(state, String(one === chosen));
    }
  },
  true,
);
