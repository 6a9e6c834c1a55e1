// Before anything is drawn: scripts run here, and this is the theme that the reader chose.
document.documentElement.classList.add("js");
try {
  const theme = localStorage.getItem("casebook-theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {} // a page from disk may have no storage
