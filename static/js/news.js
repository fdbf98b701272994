// Says on a queue page how many flags came since it was made. Asks every 20 seconds, never
// while the page is hidden, and no more once the answer is anything but ours.
// Without it: the queue is as new as its last load.
const EVERY = 20_000;
let asking = false;

async function ask() {
  const region = document.getElementById("news");
  if (!region || asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(region.dataset.news, { redirect: "manual" });
    if (answer.status === 200 && answer.headers.get("Console-Page")) {
      const told = await answer.text();
      if (region.isConnected && region.innerHTML !== told) region.innerHTML = told;
    } else if (answer.status !== 204 && answer.status < 500) {
      clearInterval(timer);
    }
  } catch {
    // Nobody answered; the next turn asks again.
  } finally {
    asking = false;
  }
}

const timer = setInterval(ask, EVERY);
document.addEventListener("visibilitychange", ask);
