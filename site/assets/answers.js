// The answers of the search, as a list below the box or in full; all of them as text.
const casebookAnswers = (() => {
  const { element, withCode, root } = casebook;
  const shownLines = 3;
  const { index } = casebookData;
  const pages = new Map(casebookData.answers.map((answer, at) => [index.cases[at], answer]));

  // The release that counts: the chosen one, else the one that the text names.
  const release = (found) => casebook.chosen() || found.torch;
  const href = (name, { page }) => `${root}${page || `catalog/${name}/index.html`}`;
  const fixHere = ({ kind, code }, torch) =>
    torch && casebookTorch.releases.includes(torch.split(" ")[0]) ? casebook.ofFix(kind, code, torch) : "";

  function brief(text) {
    const found = casebookMatch.search(index, text, 8);
    if (!found.matches.length) return [element("p", "Nothing known. Try another word of the message.")];
    const items = found.matches.map(({ case: name }) => {
      const answer = pages.get(name);
      const link = element("a", element("b", ...withCode(answer.title)), " ");
      link.href = href(name, answer);
      if (answer.code) link.append(casebook.newsOf(answer.kind, answer.code));
      link.append(element("br"), ...withCode(answer.fix || answer.summary));
      return element("li", link);
    });
    return [element("ol", ...items)];
  }

  function full({ case: name, lines }, torch) {
    const answer = pages.get(name);
    const link = element("a", ...withCode(answer.title));
    link.href = href(name, answer);
    const made = element("li", link, " ");
    if (answer.code) made.append(casebook.newsOf(answer.kind, answer.code));
    made.append(element("p", ...withCode(answer.summary)));
    if (lines.length) {
      const shown = lines.slice(0, shownLines).map(({ line, text }) => `${line}: ${text.trim()}`);
      const box = element("pre", element("code", shown.join("\n")));
      box.tabIndex = 0;
      made.append(box);
    }
    if (answer.fix) made.append(element("p", element("b", "Fix "), ...withCode(answer.fix)));
    const note = answer.code && fixHere(answer, torch);
    if (note) made.append(element("p", element("small", note)));
    return made;
  }

  function pageOfPyTorch(name, registry) {
    const link = element("a", name);
    link.href = registry.replace("{}", name.toLowerCase());
    link.rel = "noopener";
    return link;
  }

  // The answers to `text` in full; `said` holds the sentences for what is not known.
  function answers(text, said) {
    const found = casebookMatch.search(index, text);
    const { matches, unexplained } = found;
    const torch = release(found);
    const known = matches.length > 0 && matches[0].lines.length > 0;
    const count = `${matches.length} answer${matches.length === 1 ? "" : "s"}, best first.`;
    const made = [element("p", known || (matches.length && !found.log) ? count : matches.length ? said.guesses : said.nothing)];
    if (unexplained.length) {
      made.push(
        element(
          "p",
          "No case is about these graph breaks yet; see PyTorch's pages about them: ",
          ...unexplained.flatMap((name) => [pageOfPyTorch(name, said.registry), " "]),
        ),
      );
    }
    made.push(element("ol", ...matches.map((match) => full(match, torch))));
    if (!known && found.log) made.push(element("p", ...withCode(said.learn)));
    return made;
  }

  return { brief, answers };
})();
