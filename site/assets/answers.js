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
    const { matches, unknown } = casebookMatch.search(index, text, 8);
    if (!matches.length) {
      const lacked = unknown.map((it) => `"${it}"`).join(" or ");
      const said = lacked ? `No page mentions ${lacked}.` : "Try another word of the message.";
      return [element("p", `Nothing known. ${said}`)];
    }
    const items = matches.map((page) => {
      const link = linkTo(page);
      link.replaceChildren(element("b", ...link.childNodes), " ", label(page));
      const more = page.fix || page.summary;
      if (more) link.append(element("br"), ...withCode(more));
      link.tabIndex = -1;
      const item = element("li", link);
      Object.assign(item, { role: "option", id: `cb-option-${page.number}` });
      item.setAttribute("aria-selected", "false");
      return item;
    });
    const list = element("ol", ...items);
    list.role = "listbox";
    list.setAttribute("aria-label", "answers");
    return [list];
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

  // One cause of a log: what happened how often and where, the page that ranks first of those that
  // its lines led to, then the others.
  function causeOf(cause, own, torch) {
    const { happened, count, line, place, own: mine, reason, families } = cause;
    const times = `${count > 1 ? ` × ${count}` : ""}${cause.ranks > 1 ? ` on ${cause.ranks} ranks` : ""}`;
    const told = element("p", element("b", happened), times, " ", place || `line ${line}`);
    if (mine) told.append(` (your line: ${mine})`);
    const [first, ...others] = own;
    const made = first ? full(first, torch) : element("li");
    made.prepend(told);
    if (others.length) made.append(element("p", "Or ", ...separated(others.map(linkTo))));
    if (first) return made;
    if (reason) made.append(element("pre", element("code", reason)));
    const possible = cause.cases.length ? cause.cases : cause.possible;
    const named = families.slice(0, 2).map((number) => linkTo(casebookMatch.family(index, number)));
    if (possible.length) {
      const sure = cause.cases.length ? "" : "Perhaps ";
      made.append(element("p", sure, ...separated(possible.map((it) => linkTo(index.pages[it])))));
    } else if (named.length) {
      made.append(element("p", "No case explains it yet. What torch says: ", ...separated(named)));
    }
    return made;
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
    const found = casebookMatch.search(index, text);
    const { causes, matches: shown, unexplained, torch, query } = found;
    const hasLine = shown.some(({ lines }) => lines.length);
    const release = casebook.chosen() || torch;
    // A page belongs to a cause that it explains, with a place if there is one, or else to the one
    // whose lines led to it.
    const byLine = [...causes].sort((one, other) => other.line - one.line);
    const causeFor = ({ number, lines }) => {
      const sure = causes.filter(({ cases: its }) => its.includes(number));
      const ofLine = lines.length && byLine.find(({ line }) => line <= lines[0].line);
      return sure.find(({ place: at }) => at) || sure[0] || ofLine;
    };
    // The same cause told once more, without a place, as older releases do beside the place.
    const isPlaced = (number) => causes.some(({ place: at, cases: its }) => at && its.includes(number));
    const told = causes
      .slice(0, shownCauses)
      .map((it) => [it, shown.filter((match) => causeFor(match) === it)])
      .filter(([it]) => it.place || ![...it.cases, ...it.possible].some(isPlaced));
    const used = new Set(told.flatMap(([, own]) => own));
    const rest = shown.filter((match) => !used.has(match));
    const made = [];
    if (causes.length) {
      const many = `${told.length} cause${told.length === 1 ? "" : "s"}, the costliest first.`;
      const more = Math.max(causes.length - shownCauses, 0);
      made.push(element("p", many, more ? ` ${more} more are not shown.` : ""));
      made.push(element("ol", ...told.map(([it, own]) => causeOf(it, own, release))));
    }
    if (causes.length && hasLine) {
      if (rest.length) made.push(element("p", "Or ", ...separated(rest.map(linkTo))));
    } else {
      made.push(...headingOf(found, said));
      made.push(element("ol", ...rest.map((page) => full(page, release))));
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
    if (!hasLine && !(query && shown.length)) made.push(...notesOf(found, said));
    return made;
  }

  // What to say before the answers, or where there are none.
  function headingOf({ causes, matches, unexplained, query, sure }, said) {
    if (sure) return [element("p", `${matches.length} answer${matches.length === 1 ? "" : "s"}, best first.`)];
    if (matches.length) {
      const ofLog = matches[0].lines.length ? said.sisters : said.guesses;
      return [element("p", query ? said.nearest : ofLog)];
    }
    return causes.length || unexplained.length ? [] : [element("p", said.nothing)];
  }

  // What the catalog lacks, what is nearest, and how to learn more.
  function notesOf({ unknown, near }, said) {
    const made = [];
    if (unknown.length) {
      made.push(said.unknown.replace("{}", unknown.map((it) => `"${it}"`).join(" or ")));
    }
    const notes = made.map((it) => element("p", it));
    if (near) {
      const torchs = element("a", "PyTorch's page");
      torchs.href = near.docs;
      const [before, between] = said.area.split("{}");
      notes.push(element("p", before, linkTo(near), between, near.summary, " ", torchs));
    }
    return [...notes, element("p", ...withCode(said.learn))];
  }

  return { brief, answers };
})();
