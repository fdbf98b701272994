// Says that scripts run, before anything is drawn, so that what needs one shows at once.
// Without it: such controls stay hidden, and everything on the page still works.
document.documentElement.classList.add("scripted");
