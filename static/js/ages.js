// Keeps "3 minutes" true while a page stays open.
// Without it: the words stay those of the moment when the page was made.
const UNITS = [
  ["year", 31557600],
  ["month", 2629800],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

function words(time, seconds) {
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    if (count === 0) continue;
    const locale = document.documentElement.lang;
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  }
  return time.dataset.age;
}

function refresh() {
  for (const time of document.querySelectorAll("time[data-age]")) {
    const begun = Date.parse(time.dateTime);
    if (!Number.isNaN(begun)) time.textContent = words(time, Math.max(0, (Date.now() - begun) / 1000));
  }
}

setInterval(refresh, 60_000);
document.addEventListener("visibilitychange", refresh);
