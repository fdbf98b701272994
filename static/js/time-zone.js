// Tells the server the reader's time zone, so that it writes times in that zone.
// Without it: times stand in UTC, and say so.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`timezone=${zone};`)) {
  document.cookie = `timezone=${zone}; path=/; max-age=31536000; SameSite=Lax`;
}
