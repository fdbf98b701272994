// A form marked data-once is sent once: a double click or a held key sends nothing more.
// Without it: the request id in the form makes the second verdict the first one again.
function release(form) {
  delete form.dataset.sending;
  for (const button of form.querySelectorAll("[aria-disabled]")) {
    button.removeAttribute("aria-disabled");
  }
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    if (!("once" in form.dataset)) return;
    if (form.dataset.sending) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.dataset.sending = "yes";
    event.submitter?.setAttribute("aria-disabled", "true");
  },
  true,
);

// Back in the browser's history, or an answer that left the form in place: send again.
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sending]").forEach(release);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.elt?.closest?.("[data-quiet]")) return;
  document.querySelectorAll("form[data-sending]").forEach(release);
});
