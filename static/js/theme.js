// Fixes light or dark for this browser. The server reads the cookie, so no page flashes.
// Without it: pages follow the system.
const root = document.documentElement;

function show() {
  const chosen = root.dataset.theme ?? "";
  for (const radio of document.querySelectorAll("[data-theme-switch] input")) {
    radio.checked = radio.value === chosen;
  }
}

document.addEventListener("change", (event) => {
  if (!event.target.closest("[data-theme-switch]")) return;
  const theme = event.target.value;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  const kept = theme ? 31536000 : 0;
  document.cookie = `theme=${theme}; path=/; max-age=${kept}; SameSite=Lax`;
});

document.addEventListener("htmx:afterSwap", show);
show();
