// The theme wraps each copy button in a nav, although it does not lead anywhere. And on screens
// without a pointer that hovers, it makes code that scrolls impossible to focus.
(() => {
  const touch = matchMedia("(hover: none)").matches;
  new MutationObserver(() => {
    for (const nav of document.querySelectorAll(".md-code__nav:not([role])")) {
      nav.setAttribute("role", "none");
    }
    if (!touch) return;
    for (const code of document.querySelectorAll("pre > code:not([tabindex])")) code.tabIndex = 0;
  }).observe(document.querySelector("article"), {
    attributeFilter: ["tabindex"],
    childList: true,
    subtree: true,
  });
})();
