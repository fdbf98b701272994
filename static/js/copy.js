// A link with data-copy puts the text at that address into the clipboard and says so.
// Without it, or where the browser keeps the clipboard to itself: the link leads to a page
// with the text, to select and copy.
async function copied(link) {
  const answer = await fetch(link.dataset.copy, { headers: { Accept: "text/markdown" } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  await navigator.clipboard.writeText(await answer.text());
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copy]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !navigator.clipboard) return;
  event.preventDefault();
  try {
    await copied(link);
    link.textContent = link.dataset.copied;
    const region = document.getElementById("announcement");
    if (region) region.textContent = link.dataset.copied;
  } catch {
    location.assign(link.href);
  }
});
