// Notes which folded evidence the reader opened, for the record of the verdict.
// Without it: only evidence that stood open is noted as seen.
document.addEventListener(
  "toggle",
  (event) => {
    const card = event.target;
    const field = document.getElementById("id_opened");
    if (!field || !card.open || !card.matches("details.evidence")) return;
    const number = card.id.replace("evidence-", "");
    const opened = field.value ? field.value.split(",") : [];
    if (!opened.includes(number)) field.value = [...opened, number].join(",");
  },
  true,
);
