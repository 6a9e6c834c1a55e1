// The answers of the search, as a list below the box or in full; all of them as text.
const casebookAnswers = (() => {
  const { element, withCode, root } = casebook;
  const { index, answers: cases } = casebookIndex(casebookData);
  const { hrefs } = casebookData;
  const [shownLines, shownCauses] = [3, 20];

  // Where a page is: a family's place follows from its key, except for a few.
  const placeOf = ({ kind, name }) => {
    if (!kind || kind === "case") return `catalog/${name}/index.html`;
    const folder = kind === "graph_break" ? "gb" : `messages/${kind.replace("_", "-")}s`;
    return hrefs[name] || `${folder}/${name}/index.html`;
  };
  const href = (page) => `${root}${page.href || placeOf(page)}`;
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

  const listOf = (items) => element("ul", ...items.map((it) => element("li", ...it)));
  const separated = (links) => links.flatMap((link, at) => (at ? [", ", link] : [link]));

  // A step names cases as `case:name`; each becomes a link.
  function stepOf(text) {
    return text.split(/(`case:\w+`)/).flatMap((part) => {
      const name = part.match(/^`case:(\w+)`$/)?.[1];
      const page = name && index.pages.find((it) => it.name === name);
      return page ? [linkTo(page)] : withCode(part);
    });
  }

  function full(page, torch) {
    const { lines, summary, fix, number, steps } = page;
    const made = element("li", linkTo(page), " ", label(page));
    if (summary) made.append(element("p", ...withCode(summary)));
    if (steps.length) made.append(listOf(steps.map(stepOf)));
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

  // One cause of a log: what happened how often, where, and the pages that may explain it.
  function causeOf({ happened, count, ranks, line, place, own, reason, families, cases: sure, possible }) {
    const times = `${count > 1 ? ` × ${count}` : ""}${ranks > 1 ? ` on ${ranks} ranks` : ""}`;
    const made = element("li", element("b", happened), times, " ", place || `line ${line}`);
    if (own) made.append(` (your line: ${own})`);
    if (reason) made.append(element("pre", element("code", reason)));
    const pages = (numbers) => separated(numbers.map((number) => linkTo(index.pages[number])));
    if (sure.length) {
      made.append(element("p", ...pages(sure)));
      return made;
    }
    const named = families.slice(0, 2).map((number) => linkTo(casebookMatch.family(index, number)));
    if (named.length) made.append(element("p", "It only names ", ...separated(named), "."));
    if (possible.length) {
      made.append(element("p", "One of its known causes, or another: ", ...pages(possible)));
    } else if (named.length) {
      made.append(element("p", "The catalog knows no cause of it; its page has torch's hints."));
    }
    return made;
  }

  function causesOf(causes) {
    if (!causes.length) return [];
    const many = `${causes.length} cause${causes.length === 1 ? "" : "s"}, the costliest first.`;
    const rows = causes.slice(0, shownCauses).map(causeOf);
    const rest = causes.length - rows.length;
    return [element("p", many, rest ? ` ${rest} more are not shown.` : ""), element("ol", ...rows)];
  }

  // The page about a graph break: ours, or else PyTorch's.
  function pageOfBreak(name, registry) {
    const page = casebookMatch.familyOf(index, name);
    const link = element("a", ...withCode(page ? page.title : name));
    link.href = page ? href(page) : registry.replace("{}", name.toLowerCase());
    return link;
  }

  // The answers to `text` in full; `said` holds the sentences for what is not known.
  function answers(text, said) {
    const { causes, matches, unexplained, torch, query } = casebookMatch.search(index, text);
    const known = causes.length || (query ? matches.length : matches.some((it) => it.lines.length));
    const isGuess = ({ lines }) => known && !query && !lines.length;
    const [guesses, shown] = [matches.filter(isGuess), matches.filter((it) => !isGuess(it))];
    const count = `${shown.length} answer${shown.length === 1 ? "" : "s"}, best first.`;
    const made = causesOf(causes);
    if (shown.length || !known) {
      made.push(element("p", known ? count : matches.length ? said.guesses : said.nothing));
    }
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
    made.push(element("ol", ...shown.map((match) => full(match, release))));
    if (guesses.length) {
      const links = separated(guesses.map(linkTo));
      made.push(element("p", "Guesses, by their words alone: ", ...links));
    }
    if (!known) made.push(element("p", ...withCode(said.learn)));
    return made;
  }

  return { brief, answers };
})();
