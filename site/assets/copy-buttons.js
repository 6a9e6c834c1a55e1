// The theme wraps each copy button in a nav, but it is no way around the page.
new MutationObserver(() => {
  for (const nav of document.querySelectorAll(".md-code__nav:not([role])")) {
    nav.setAttribute("role", "none");
  }
}).observe(document.querySelector("article"), { childList: true, subtree: true });
