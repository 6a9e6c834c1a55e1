// The answers of the search, as a list below the box or in full; all of them as text.
const casebookAnswers = (() => {
  const { element, withCode, root } = casebook;
  const { index, answers: cases } = casebookIndex(casebookData);
  const shownLines = 3;

  const href = ({ name, href: path }) => `${root}${path || `catalog/${name}/index.html`}`;
  const linkTo = (page) => {
    const link = element("a", ...withCode(page.title));
    link.href = href(page);
    return link;
  };
  // What a case means on the reader's torch; other pages say what they are.
  const label = (page) =>
    cases[page.number]
      ? casebook.newsOf(...cases[page.number])
      : element("small", page.kind.replace("_", " "));

  function brief(text) {
    const { matches } = casebookMatch.search(index, text, 8);
    if (!matches.length) return [element("p", "Nothing known. Try another word of the message.")];
    const items = matches.map((page) => {
      const link = linkTo(page);
      link.replaceChildren(element("b", ...link.childNodes), " ", label(page));
      const more = page.fix || page.summary;
      if (more) link.append(element("br"), ...withCode(more));
      return element("li", link);
    });
    return [element("ol", ...items)];
  }

  function full(page, torch) {
    const { lines, summary, fix, number } = page;
    const made = element("li", linkTo(page), " ", label(page));
    if (summary) made.append(element("p", ...withCode(summary)));
    if (lines.length) {
      const shown = lines.slice(0, shownLines).map(({ line, text }) => `${line}: ${text.trim()}`);
      const box = element("pre", element("code", shown.join("\n")));
      box.tabIndex = 0;
      made.append(box);
    }
    if (fix) made.append(element("p", element("b", "Fix "), ...withCode(fix)));
    const note = torch && cases[number] && casebook.ofFix(...cases[number], torch);
    if (note) made.append(element("p", element("small", note)));
    return made;
  }

  // The page about a graph break: ours, or else PyTorch's.
  function pageOfBreak(name, registry) {
    const page = index.pages.find((it) => it.name === name && it.kind === "graph_break");
    const link = element("a", ...withCode(page ? page.title : name));
    link.href = page ? href(page) : registry.replace("{}", name.toLowerCase());
    return link;
  }

  // The answers to `text` in full; `said` holds the sentences for what is not known.
  function answers(text, said) {
    const { matches, unexplained, torch, query } = casebookMatch.search(index, text);
    const [best] = matches;
    const known = best && (query || best.by === "line");
    const count = `${matches.length} answer${matches.length === 1 ? "" : "s"}, best first.`;
    const made = [element("p", known ? count : best ? said.guesses : said.nothing)];
    if (unexplained.length) {
      made.push(
        element(
          "p",
          "No case is about these graph breaks yet; what torch says of them: ",
          ...unexplained.flatMap((name) => [pageOfBreak(name, said.registry), " "]),
        ),
      );
    }
    const release = casebook.chosen() || torch;
    made.push(element("ol", ...matches.map((match) => full(match, release))));
    if (!known) made.push(element("p", ...withCode(said.learn)));
    return made;
  }

  return { brief, answers };
})();
