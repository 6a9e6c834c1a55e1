// The search of `python -m validators match`: the same index and the same sums, in the browser.
// Both must give the same answers; tests see to that. An answer has all fields of its
// page, and its number in the index.
const casebookMatch = (() => {
  const strings = (value) => {
    if (typeof value === "string") return value.split("\n");
    if (!value || typeof value !== "object") return [];
    const items = Array.isArray(value) ? value : Object.entries(value).flat();
    return items.flatMap(strings);
  };

  // The numbered lines of a text; a line in JSON has the texts within it as lines of its own.
  function* readLines(text, { escapes, controls, spaces, piece, longest, end }) {
    const [escape, control, space] = [
      new RegExp(escapes, "gs"), new RegExp(controls, "gu"), new RegExp(spaces, "g"),
    ];
    const clean = (line) => {
      const kept =
        line.length > longest ? `${line.slice(0, longest - end)} ${line.slice(-end)}` : line;
      return kept.replace(escape, "").replace(space, " ").replace(control, "").replace(/[ \t\n]+$/, "");
    };
    const texts = (part) => {
      if (!part.startsWith("{")) return [part];
      try {
        return strings(JSON.parse(part));
      } catch {
        return [part]; // not JSON, or a piece of it
      }
    };
    let number = 0;
    const whole = text.replace(/^\ufeff/, "").replace(/(?:\r\n|\r|\n)$/, "");
    for (const line of whole.split(/\r\n|\r|\n/)) {
      number += 1;
      for (let start = 0; start === 0 || start < line.length; start += piece) {
        for (const part of texts(line.slice(start, start + piece))) yield [number, clean(part)];
      }
    }
  }

  const at = (pattern, flags = "") => new RegExp(`^(?:${pattern})`, flags);

  // How lines are read: whether each tells anything, and whether a program printed it.
  function linesOf({ tracker, rank, ranked, prefix, frame, library, exception, logged }) {
    const [tracked, isRank] = [at(tracker), new RegExp(rank)];
    const [inFront, isFrame, isException] = [at(prefix), at(frame), at(exception)];
    const isLibrary = new RegExp(library);
    const printed = [inFront, isFrame, isException, at(logged)];
    // Each line that is not empty, without what a logger or a tracker wrote in front.
    function* parse(lines) {
      let insideLibrary = false;
      for (const [line, whole] of lines) {
        const from = isRank.exec(whole.slice(0, ranked));
        let text = whole.replace(tracked, "");
        let prefixed = inFront.exec(text);
        if (prefixed) text = text.slice(prefixed[0].length);
        else if ((prefixed = inFront.exec(whole))) text = whole.slice(prefixed[0].length);
        const found = isFrame.exec(text);
        if (found) insideLibrary = isLibrary.test(found[1]);
        else if (!text.startsWith("    ")) insideLibrary = false;
        if (!text) continue;
        yield {
          line, text,
          informative: !found && !insideLibrary,
          frame: found ? [found[1], found[2], found[3] || ""] : null,
          starts: Boolean(prefixed || found) || /^[ -]/.test(text),
          length: [...whole].length,
          rank: from ? from[1] : "",
        };
      }
    }
    return {
      parse,
      isLogged: (line) => printed.some((it) => it.test(line)),
      isException: (text) => isException.test(text),
      isLibrary: (file) => isLibrary.test(file),
    };
  }

  // The names and terms of texts.
  function termsOf({ name, part, numbered, endings, common }) {
    const [names, parts] = [new RegExp(name, "g"), new RegExp(part, "g")];
    const isNumbered = new RegExp(`^(?:${numbered})$`);
    const [ends, ignored] = [endings.split(" "), new Set(common.split(" "))];
    const stem = (word) => {
      const ending = ends.find((it) => word.endsWith(it) && word.length - it.length >= 4);
      return ending ? word.slice(0, -ending.length) : word;
    };
    const pieces = (dotted) => {
      const found = dotted.includes(".") ? [dotted.toLowerCase()] : [];
      for (const component of dotted.split(".")) {
        const made = component.match(parts) || [];
        const whole = made.length > 1 || isNumbered.test(component);
        if (whole) found.push(component.toLowerCase());
        const lowered = made.map((it) => it.toLowerCase());
        found.push(...lowered.filter((it) => it.length > 2 && !ignored.has(it)).map(stem));
      }
      return found;
    };
    const known = new Map();
    const ofName = (it) => {
      if (!known.has(it)) known.set(it, pieces(it));
      return known.get(it);
    };
    const namesIn = (text) => plain(text).match(names) || [];
    return { namesIn, ofName, ofText: (text) => namesIn(text).flatMap(ofName) };
  }

  const plain = (text) => text.replaceAll("++", "pp"); // C++

  // The terms and their pages, as `validators.match.packing` packs them.
  function* unpacked(terms, holders) {
    const value = (letter) => letter.toLowerCase().charCodeAt(0) - 97;
    const read = (step) => [...step].reduce((sum, letter) => 26 * sum + value(letter), 0);
    const steps = holders.split(" ");
    let term = "";
    for (const [at, ending] of (terms ? terms.split(" ") : []).entries()) {
      term = term.slice(0, value(ending)) + ending.slice(1);
      let page = 0;
      yield [term, steps[at].match(/[A-Z]*[a-z]/g).map((step) => (page += read(step)))];
    }
  }

  const listed = (map, key) => {
    if (!map.has(key)) map.set(key, []);
    return map.get(key);
  };

  const literalAt = (pattern, start, stop) => pattern.slice(start, stop).replace(/\\(.)/g, "$1");

  // The families with their patterns, as `validators.match.families` makes them.
  function familiesOf({ families, rules }) {
    const { hole, break_type: [before, after], exception_name: [from, to] } = rules;
    const patternsOf = (kind, key, title, given) => {
      const found = [];
      for (let n = 0; n < given.length; n += 3) {
        const [pattern, start, stop] = given.slice(n, n + 3);
        found.push({ pattern, literal: literalAt(pattern, start, stop) });
      }
      if (found.length) return found;
      if (kind === "exception") return [{ pattern: from + key + to, literal: key, around: ` ${key} ` }];
      const parts = title.split("…");
      const text = parts.map((it) => it.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(hole);
      const ended = parts.at(-1) ? text + after : text.slice(0, -hole.length);
      const longest = parts.reduce((a, b) => ([...b].length > [...a].length ? b : a));
      const [begins, ends] = [parts[0], parts.at(-1)].map((it) => (it === longest ? " " : ""));
      return [{ pattern: before + ended, literal: longest, around: begins + longest + ends }];
    };
    return Object.entries(families).flatMap(([kind, rows]) =>
      rows.map(([key, title, cases = [], ...given]) => ({
        kind, key, title: title || key, cases,
        patterns: patternsOf(kind, key, title || key, given),
      })),
    );
  }

  function pageOf({ kind, key, title }) {
    if (kind === "graph_break") return { kind, name: key, title: `${key}: ${title}` };
    const skip = kind === "cudagraph_skip";
    return { kind, name: key, title: skip ? `Skipping CUDA graphs: ${title.replace(/^reason=/, "")}` : title };
  }

  // Which of many patterns fit a text: a line is tried against few of them. `around` is the
  // literal with a space where a word must begin or end.
  function filterOf(patterns) {
    const byWord = new Map();
    for (const it of patterns) {
      const inner = [...(it.around || it.literal).matchAll(/(?<=\W)\w+(?=\W)/g)].map(([word]) => word);
      const word = inner.reduce((a, b) => (b.length > a.length ? b : a), "");
      listed(byWord, word).push(it);
    }
    return (text) => {
      const found = [];
      for (const word of new Set(["", ...(text.match(/\w+/g) || [])])) {
        for (const it of byWord.get(word) || []) {
          if (!text.includes(it.literal)) continue;
          it.regex ||= new RegExp(it.pattern, "s");
          if (it.regex.test(text)) found.push(it);
        }
      }
      return found.sort((a, b) => a.number - b.number);
    };
  }

  // What lines are exact evidence of: signatures, the best family of each kind, ids of breaks.
  function readerOf({ subject, rules }, families, signatures, patterns) {
    const breakId = new RegExp(rules.graph_break, "g");
    const isBetter = (a, b) => {
      const [one, other] = [a, b].map(({ literal, pattern, number }) =>
        [Number(/[A-Za-z]/.test(literal)), [...pattern].length, number],
      );
      const place = one.findIndex((it, at) => it !== other[at]);
      return place >= 0 && one[place] > other[place];
    };
    return (line) => {
      const lowered = line.text.toLowerCase();
      const best = new Map();
      for (const it of patterns(line.text)) {
        const { kind } = families[it.number];
        if (!best.has(kind) || isBetter(it, best.get(kind))) best.set(kind, it);
      }
      return {
        line,
        signatures: signatures(line.text),
        families: [...best.values()].map(({ number }) => number).sort((a, b) => a - b),
        breaks: [...new Set(lowered.match(breakId) || [])],
        about: subject.some((phrase) => lowered.includes(phrase)),
      };
    };
  }

  // What a search needs of an index, made when it is first used.
  function prepare(index) {
    const { rules } = index;
    const terms = termsOf(rules);
    const noKey = new RegExp(rules.not_of_a_key, "g");
    const keyOf = (name) => plain(name).toLowerCase().replace(noKey, "");
    const families = familiesOf(index);
    const pages = [...index.pages, ...families.map(pageOf)].map((page, number) => ({
      number, kind: "case", summary: "", fix: "", aliases: [], tenths: 10, steps: [], ...page,
    }));
    const familyNumbers = new Map();
    for (const [at, { kind, key }] of families.entries()) {
      if (kind === "graph_break") familyNumbers.set(key.toLowerCase(), [index.pages.length + at]);
    }
    const cases = pages.filter(({ kind }) => kind === "case").length;
    const signatures = index.signatures.map(([pattern, start, stop, its, header], number) => ({
      number, pattern, header: Boolean(header), cases: its,
      literal: literalAt(pattern, start, stop),
      worth: rules.exact + Math.floor(rules.exact / its.length),
    }));
    const patterns = families.flatMap(({ patterns: its }, number) =>
      its.map((it) => ({ ...it, number })),
    );
    const { postings, rarest } = weigh(index, pages, cases, terms);
    const symptomsOf = symptomsIn(rules);
    const symptoms = pages.map(({ kind, title, summary }) =>
      symptomsOf(["case", "silent"].includes(kind) ? `${title} ${summary}` : ""),
    );
    const spelling = new Map();
    for (const term of postings.keys()) listed(spelling, term[0]).push(term);
    const isBreak = new RegExp(`^(?:${rules.graph_break})$`);
    const [names, apis] = [new Map(), new Map()];
    for (const [number, page] of pages.entries()) {
      for (const key of page.kind === "graph_break" ? [] : new Set([page.name, ...page.aliases].map(keyOf))) {
        listed(names, key).push(number);
      }
      if (number >= index.pages.length) continue; // a family has no API of its own
      for (const [, code] of page.title.matchAll(/`([^`]+)`/g)) {
        const parts = terms.namesIn(code).flatMap((name) => [name, ...name.split(".")]);
        for (const key of new Set([code, ...parts].map(keyOf))) {
          if (key.length < 3 || isBreak.test(key)) continue; // a variable
          if (!listed(apis, key).includes(number)) listed(apis, key).push(number);
        }
      }
    }
    const literals = signatures
      .map((it) => [keyOf(it.literal), it])
      .filter(([key]) => key.length >= rules.phrase)
      .filter(([key, it]) => 4 * key.length >= 3 * keyOf(it.pattern).length);
    const lines = linesOf(rules);
    const fitting = filterOf(signatures);
    const read = readerOf(index, families, fitting, filterOf(patterns));
    return {
      pages, cases, families, familyNumbers, fitting, read, terms, keyOf, postings, spelling, names, apis,
      literals, lines, rarest, symptoms, symptomsOf,
    };
  }

  // What a text complains of, in its own words.
  function symptomsIn({ symptoms }) {
    const patterns = Object.entries(symptoms).map(([name, it]) => [name, new RegExp(it)]);
    return (text) => {
      const lowered = text.toLowerCase();
      return new Set(patterns.filter(([, it]) => it.test(lowered)).map(([name]) => name));
    };
  }

  // Whether both texts name symptoms and share none.
  const differ = (asked, told) => asked.size && told.size && ![...asked].some((it) => told.has(it));

  // How surely the first match answers a text of so many different terms.
  const confidenceOf = ({ rarest }, [first], terms) =>
    first ? first.score / (Math.sqrt(Math.max(terms, 1)) * rarest) : 0;

  // For each term the pages that hold it and its weight for each (BM25), by the same sums.
  function weigh(index, pages, cases, { ofText }) {
    const { weights, saturation, length, scale } = index.rules;
    const counts = pages.map(() => new Map());
    const add = (number, term, weight) =>
      counts[number].set(term, (counts[number].get(term) || 0) + weight);
    for (const [number, page] of pages.entries()) {
      const parts = { ...page, name: [page.name, ...page.aliases].join(" ") };
      for (const part of ["name", "title", "summary", "fix"]) {
        for (const term of ofText(parts[part])) add(number, term, weights[part]);
      }
    }
    for (const [pattern, , , its] of index.signatures) {
      for (const term of ofText(pattern.replace(/\\.|[.*+?]/g, " "))) {
        for (const number of its) add(number, term, weights.signature);
      }
    }
    for (const [term, numbers] of unpacked(index.terms, index.holders)) {
      for (const number of numbers) add(number, term, weights.hidden);
    }

    const sum = (values) => values.reduce((a, b) => a + b, 0);
    const lengths = counts.map((it) => sum([...it.values()]));
    const mean = sum(lengths.slice(0, cases)) / Math.max(cases, 1);
    const held = new Map();
    for (const it of counts.slice(0, cases)) {
      for (const term of it.keys()) held.set(term, (held.get(term) || 0) + 1);
    }
    const of = cases + index.logs;
    const rarity = (term) => {
      const some = (held.get(term) || 0) + (Object.hasOwn(index.common, term) ? index.common[term] : 0);
      return Math.floor(16 * Math.log(1 + (of - some + 0.5) / (some + 0.5)) + 0.5) / 16;
    };
    const rare = new Map();
    const postings = new Map();
    for (const [number, its] of counts.entries()) {
      const norm = saturation * (1 - length + length * lengths[number] / mean);
      for (const [term, count] of its) {
        if (!rare.has(term)) rare.set(term, rarity(term));
        const weight = scale * rare.get(term) * (saturation + 1) * count / (count + norm);
        const whole = Math.floor(weight + 0.5);
        if (!whole) continue;
        if (!postings.has(term)) postings.set(term, new Map());
        postings.get(term).set(number, whole);
      }
    }
    return { postings, rarest: Math.floor(16 * Math.log(1 + (of - 0.5) / 1.5) + 0.5) / 16 };
  }

  const prepared = new WeakMap();
  function search(index, text, most = 5) {
    const ready = readied(index);
    const query = queryIn(text, index.rules, ready.lines);
    return query ? searchQuery(index, ready, query, most) : searchLog(index, ready, text, most);
  }

  // The lines of a query; null if the text is none.
  function queryIn(text, rules, { isLogged }) {
    const lines = [];
    let length = 0;
    for (const line of readLines(text, rules)) {
      lines.push(line);
      length += 1 + [...line[1]].length;
      if (length > rules.query_length) return null;
    }
    const said = lines.filter(([, line]) => line);
    const few = said.length && said.length <= rules.query_lines;
    return few && !said.some(([, line]) => isLogged(line)) ? lines : null;
  }

  // What speaks for each page, by its number.
  class Tallies extends Map {
    told = new Map();
    of(number) {
      if (!this.has(number)) {
        const lines = new Map();
        this.set(number, { exact: 0, named: 0, words: 0, covered: 0, lines, telling: [] });
      }
      return this.get(number);
    }
    // `telling` holds, for each line that tells some pages from their sisters, those pages.
    tell(number, line) {
      if (!this.told.has(line.line)) this.told.set(line.line, new Set());
      const pages = this.told.get(line.line).add(number);
      this.of(number).telling.push(pages);
    }
    credit(numbers, line, worth, told = true) {
      for (const number of numbers) {
        const it = this.of(number);
        if (told) this.tell(number, line);
        it.exact = Math.max(it.exact, worth);
        it.lines.set(line.line, line);
      }
    }
    name(numbers, worth) {
      for (const number of numbers) this.of(number).named = Math.max(this.of(number).named, worth);
    }
  }

  // The page with its score, what speaks most for it, and the lines that are exact evidence.
  function matchOf(page, { exact, named, lines, telling }, words, tenths = 10) {
    const told = telling.some((pages) => pages.size === 1);
    const by = lines.size ? (told ? "line" : "family") : named ? "name" : "words";
    const own = Math.floor(((named + words) * tenths) / 10);
    const score = Math.floor((exact * page.tenths) / 10) + own;
    return { ...page, score, by, lines: [...lines.values()] };
  }

  function ranked(matches, most, { tail }) {
    const byName = (a, b) => (a.name < b.name ? -1 : 1);
    const place = (a, b) => b.score - a.score || a.title.length - b.title.length || byName(a, b);
    const best = matches.sort(place).slice(0, most);
    return best.filter(({ score, lines }) => lines.length || 10 * score >= tail * best[0].score);
  }

  const idsOf = (breaks, most) => [...breaks].sort().slice(0, most).map((id) => id.toUpperCase());
  const releaseIn = (text, rules) => (new RegExp(rules.torch, "i").exec(text) || ["", ""])[1];

  function searchLog(index, ready, text, most) {
    const { pages, cases, families, terms, postings, lines } = ready;
    const { rules } = index;
    const [tallies, incidents] = [new Tallies(), incidentsOf(index, ready)];
    const [asked, used, breaks] = [new Set(), new Set(), new Set()];
    const [code, comment] = [new Set(), new RegExp(rules.code_comment)];
    let [torch, worded, about, near, expected] = ["", 0, false, false, false];
    for (const [line, evidence, first] of readLog(ready, rules, text)) {
      if (evidence?.joined) incidents.credit(line, evidence);
      else incidents.add(line, evidence);
      const behind = comment.exec(line.text);
      if (behind || (expected && !line.frame && code.size < rules.code_lines)) {
        code.add((behind ? behind[1] : line.text).trim());
      }
      expected = Boolean(line.frame);
      if (!first) continue;
      torch ||= releaseIn(line.text, rules);
      if (evidence) {
        about ||= evidence.about;
        near ||= evidence.signatures.length + evidence.families.length > 0;
        for (const it of evidence.signatures) {
          if (used.has(it.number)) continue;
          used.add(it.number);
          tallies.credit(it.cases, evidence.line, it.worth, !it.header);
        }
        for (const id of evidence.breaks) {
          if (breaks.has(id)) continue;
          breaks.add(id);
          tallies.credit(index.breaks[id] || [], evidence.line, rules.exact, !families.length);
        }
      }
      const lowered = line.text.toLowerCase();
      near ||= index.near_subject.some((phrase) => lowered.includes(phrase));
      if (line.informative && worded < rules.worded_lines) {
        worded += 1;
        for (const term of terms.ofText(line.text)) asked.add(term);
      }
    }
    const none = { query: false, sure: false, torch, causes: [], unexplained: [], unknown: [] };
    if (!about && !near) return { ...none, matches: [] };

    let known = 0;
    for (const term of asked) {
      known += postings.has(term);
      for (const [number, worth] of postings.get(term) || []) tallies.of(number).words += worth;
    }
    const worths = worthsOf(index, code);
    const matches = [...tallies]
      .filter(([number]) => number < cases)
      .map(([number, it]) => {
        const told = it.lines.size ? worths.get(number) || 0 : 0;
        return matchOf(pages[number], it, it.words + told);
      });
    const causes = incidents.causes();
    const placeOf = ({ number }) => {
      const place = causes.findIndex(({ all }) => all.has(number));
      return place < 0 ? causes.length : place;
    };
    const sure = ranked(matches.filter((it) => it.lines.length), most, rules)
      .sort((a, b) => placeOf(a) - placeOf(b));
    const guesses = causes.length || !about ? [] : ranked(matches, most, rules);
    const isGuess = confidenceOf(ready, guesses, known) >= rules.guess;
    const unknown = [...breaks].filter((id) => !index.breaks[id]);
    return {
      ...none,
      causes,
      matches: sure.length ? sure : isGuess ? guesses : [],
      sure: sure.length > 0 && sure[0].by === "line",
      unexplained: idsOf(unknown, most),
    };
  }

  // What a case with patterns of the user's code gains, or loses if none of them fits.
  function worthsOf(index, lines) {
    const fits = (pattern) => [...lines].some((line) => new RegExp(pattern, "s").test(line));
    const worth = index.rules.code_worth;
    const rows = lines.size ? index.code : [];
    return new Map(rows.map(([number, its]) => [number, its.some(fits) ? worth : -worth]));
  }

  const says = ({ signatures, families, breaks }) =>
    signatures.length + families.length + breaks.length > 0;

  // Each line with what it is evidence of, and whether it is the first of its shape; then what
  // wrapped lines say together.
  function* readLog({ read, lines }, rules, text) {
    const isNumber = new RegExp(rules.number, "g");
    const [seen, known] = [new Set(), new Map()];
    let wrapped = [];
    for (const line of lines.parse(readLines(text, rules))) {
      const shape = line.text.replace(isNumber, "");
      const first = !seen.has(shape);
      if (first) {
        if (seen.size < rules.remembered) seen.add(shape);
        const found = read(line);
        if (says(found) || found.about) known.set(shape, found);
      }
      yield [line, known.get(shape), first];
      const last = wrapped.at(-1);
      const goesOn =
        last && !line.starts && !last.frame && last.rank === line.rank &&
        [line.line, line.line - 1].includes(last.line) && last.length >= rules.wrapped;
      const part = { ...line, shape };
      wrapped = goesOn ? [...wrapped.slice(1 - rules.pieces), part] : [part];
      for (let start = wrapped.length - 2; start >= 0; start -= 1) {
        const parts = wrapped.slice(start);
        const its = parts.map((it) => it.shape).join("\0");
        if (seen.has(its) || seen.size >= rules.remembered) continue;
        seen.add(its);
        const told = parts.map(read);
        for (const between of ["", " "]) {
          const joined = parts.map((it) => it.text).join(between);
          const found = more(read({ ...parts[0], text: joined }), told);
          if (says(found)) yield [line, found, true];
        }
      }
    }
  }

  // What only the whole line says.
  function more(whole, parts) {
    const rest = (field) => {
      const told = new Set(parts.flatMap((it) => it[field]));
      return whole[field].filter((it) => !told.has(it));
    };
    const [signatures, families, breaks] = ["signatures", "families", "breaks"].map(rest);
    return { ...whole, signatures, families, breaks, joined: true };
  }

  // The incidents of a log by their causes, as `validators.match.incidents` finds them.
  const happened = ["exception", "limit", "break", "recompile", "skip", "message"];
  const ofFamily = {
    graph_break: "break", guard: "recompile", cudagraph_skip: "skip", exception: "exception",
  };
  function incidentsOf(index, { families, lines: { isException, isLibrary } }) {
    const { rules } = index;
    const [recompile, limit, skip] = ["recompile", "limit", "skip"].map((it) => new RegExp(rules[it]));
    const [limitPlace, limitReason] = [new RegExp(rules.limit_place), new RegExp(rules.limit_reason)];
    const [raised, isNumber] = [new RegExp(rules.raised), new RegExp(rules.number, "g")];
    const [broke, mark, noReason, chained] = [
      rules.graph_broke, rules.reason, rules.no_reason, rules.chained,
    ].map((it) => at(it));
    const [ranks, causes] = [new Map(), new Map()];
    const withoutMark = (text) => text.replace(mark, "").trim();
    const made = (kind, line, reason = "", place = null) => ({
      kind, line, reason, place, frames: [], about: false,
      cases: new Map(), members: new Set(), families: new Set(), breaks: new Set(),
    });
    const innerOf = (it) => it.place || it.frames.at(-1) || null;
    const ownOf = (it) =>
      [...it.frames, it.place].reverse().find((frame) => frame && !isLibrary(frame[0])) || null;

    function begun(line) {
      const { text } = line;
      let it = text.includes("ecompiling function ") && recompile.exec(text);
      if (it) return made("recompile", line, "", [it[2], it[3], it[1]]);
      if (text.includes("hit config.") && limit.test(text)) return made("limit", line);
      it = text.includes("raph break") && broke.exec(text);
      if (it) return it[1] ? made("break", line, "", [it[1], it[2], ""]) : made("break", line, withoutMark(text));
      it = text.includes("cudagraph") && skip.exec(text);
      if (it) return made("skip", line, (it[1] || it[2]).trim());
      return isException(text) ? made("exception", line, text.trim()) : null;
    }

    function goOn(it, { text }) {
      if (it.kind === "limit") {
        const place = limitPlace.exec(text);
        if (place) it.place ||= [place[2], place[3], place[1]];
        const reason = limitReason.exec(text);
        if (reason) it.reason ||= withoutMark(reason[1]);
      } else if (["break", "recompile"].includes(it.kind) && !it.reason && !noReason.test(text)) {
        it.reason = withoutMark(text);
      }
    }

    function count(it) {
      const known = it.about || it.cases.size || it.members.size || it.families.size || it.breaks.size;
      if (it.kind === "exception" && !known) return;
      const inner = innerOf(it);
      const key = JSON.stringify([it.kind, inner && inner.slice(0, 2), it.reason.replace(isNumber, "")]);
      if (!causes.has(key)) {
        if (causes.size >= rules.causes) return;
        causes.set(key, { first: it, count: 0, ranks: new Set() });
      }
      causes.get(key).count += 1;
      causes.get(key).ranks.add(it.line.rank);
    }

    function close(rank) {
      if (rank.incident) count(rank.incident);
      rank.incident = null;
    }

    function begin(rank, it) {
      const last = rank.incident;
      let same = false;
      if (it.kind === "exception") {
        const near = last && it.line.line - last.line.line <= 2;
        same = last?.kind === "exception" && ((near && raised.test(last.reason)) || rank.chained);
        if (last && !same && last.kind !== "exception" && !rank.frames.length) {
          goOn(last, it.line);
          return;
        }
        [it.frames, rank.frames] = [rank.frames, []];
        [it.about, rank.about] = [rank.about, false];
      }
      rank.chained = false;
      if (same) {
        if (!it.frames.length) it.frames = last.frames;
        it.about ||= last.about;
        for (const its of ["cases", "members", "families", "breaks"]) it[its] = last[its];
      } else {
        close(rank);
      }
      rank.incident = it;
    }

    function addTo(it, evidence) {
      it.about ||= evidence.about;
      for (const number of evidence.families) it.families.add(number);
      for (const id of evidence.breaks) it.breaks.add(id);
      for (const { cases: its, header, worth } of evidence.signatures) {
        for (const number of its) {
          if (header) it.members.add(number);
          else it.cases.set(number, Math.max(it.cases.get(number) || 0, worth));
        }
      }
    }

    function rankOf({ rank }) {
      if (!ranks.has(rank)) ranks.set(rank, { incident: null, frames: [], about: false, chained: false });
      return ranks.get(rank);
    }

    function credit(line, evidence) {
      const rank = rankOf(line);
      if (rank.incident) {
        addTo(rank.incident, evidence);
      } else if (says(evidence) && !line.frame) {
        const kinds = evidence.families.map((number) => ofFamily[families[number].kind]);
        if (evidence.breaks.length) kinds.push("break");
        const alone = made(happened.find((it) => kinds.includes(it)) || "message", line, line.text.trim());
        addTo(alone, evidence);
        if (alone.kind === "break" && evidence.families.length) rank.incident = alone;
        else count(alone);
      }
    }

    function add(line, evidence) {
      const rank = rankOf(line);
      let it = null;
      if (line.frame) {
        rank.about ||= Boolean(evidence?.about);
        (rank.incident || rank).frames.push(line.frame);
      } else if (line.text.startsWith("Traceback (")) {
        if (rank.incident && rank.incident.kind !== "exception") close(rank);
        rank.frames = [];
      } else if (chained.test(line.text)) {
        rank.chained = true;
      } else if ((it = begun(line))) {
        begin(rank, it);
      } else if (rank.incident) {
        goOn(rank.incident, line);
      }
      if (rank.incident && line.line - rank.incident.line.line > rules.incident_lines) close(rank);
      if (evidence) credit(line, evidence);
    }

    // The cases that a line tells, best first, and those that it only may be.
    function told(it) {
      const name = (number) => index.pages[number].name;
      const byName = (a, b) => (name(a) < name(b) ? -1 : 1);
      const sure = [...it.cases.keys()].sort((a, b) => it.cases.get(b) - it.cases.get(a) || byName(a, b));
      const may = new Set(it.members);
      for (const number of it.families) families[number].cases.forEach((its) => may.add(its));
      for (const id of it.breaks) (index.breaks[id] || []).forEach((its) => may.add(its));
      const possible = [...may].filter((number) => !it.cases.has(number)).sort(byName);
      return { cases: sure.slice(0, rules.told), possible: possible.slice(0, rules.possible) };
    }

    const place = (frame) => (frame ? `${frame[0]}:${frame[1]}${frame[2] ? ` in ${frame[2]}` : ""}` : "");
    function all() {
      for (const rank of ranks.values()) close(rank);
      const order = ({ first, count: often }) => [happened.indexOf(first.kind), -often, first.line.line];
      const before = (a, b) => {
        const [one, other] = [order(a), order(b)];
        return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
      };
      return [...causes.values()].sort(before).map(({ first, count: often, ranks: its }) => {
        const [inner, own] = [innerOf(first), ownOf(first)];
        return {
          happened: first.kind, count: often, ranks: its.size, line: first.line.line,
          place: place(inner),
          own: String(own) === String(inner) ? "" : place(own),
          reason: first.reason,
          families: [...first.families].sort((a, b) => a - b),
          all: first.cases,
          ...told(first),
        };
      });
    }

    return { add, credit, causes: all };
  }

  function searchQuery(index, ready, lines, most) {
    const { rules } = index;
    const text = lines.map(([, line]) => line).join(" ");
    const [breaks, groups] = [breaksIn(text, rules, ready), groupsOf(text, rules, ready)];
    let asked = 0;
    for (const { importance } of groups.values()) asked += importance;
    asked = Math.max(asked, 1);
    const tallies = new Tallies();
    for (const line of ready.lines.parse(lines)) creditLine(index, ready, line, breaks, tallies);
    creditNames(rules, ready, text, groups, asked, tallies);
    for (const id of breaks) {
      tallies.name(index.breaks[id] || [], Math.floor(rules.called / 2));
      tallies.name(ready.familyNumbers.get(id) || [], Math.floor(rules.called / 2));
    }
    for (const { worths, importance } of groups.values()) {
      for (const [number, worth] of worths) {
        tallies.of(number).words += worth;
        tallies.of(number).covered += importance;
      }
    }
    const symptoms = ready.symptomsOf(text);
    const whole = ready.familyNumbers.get(wholeBreak(text, rules, ready)) || [];
    const matches = ranked(
      [...tallies].map(([number, it]) => {
        const tenths = differ(symptoms, ready.symptoms[number]) ? rules.other_symptom : 10;
        const words = Math.floor((it.words * it.covered) / asked);
        const found = matchOf(ready.pages[number], it, words, tenths);
        if (whole.includes(number)) return { ...found, score: found.score + rules.called };
        if (number < index.pages.length) return found;
        return { ...found, score: Math.floor((found.score * rules.family_tenths) / 10) };
      }),
      most, rules,
    );
    const confidence = confidenceOf(ready, matches, groups.size);
    const unexplained = idsOf(
      [...breaks].filter((id) => !index.breaks[id] && !ready.familyNumbers.has(id)), most,
    );
    const found = { query: true, torch: releaseIn(text, rules), causes: [], unexplained };
    if (confidence < rules.fits) {
      const unknown = unknownIn(text, ready).slice(0, most);
      return { ...found, sure: false, matches: [], unknown, near: nearestArea(tallies, ready, rules) };
    }
    const [first, second] = matches;
    const ahead = !second || 10 * second.score <= rules.ahead * first.score;
    return { ...found, sure: ahead && confidence >= rules.sure, matches, unknown: [] };
  }

  // The words and names of a text of which no page has any part.
  const unknownIn = (text, { terms, postings }) =>
    [...new Set(terms.namesIn(text))].filter((name) => {
      const its = terms.ofName(name);
      return its.length && !its.some((it) => postings.has(it));
    });

  // The area that names and words speak for most, if they do.
  function nearestArea(tallies, { pages, rarest }, { near }) {
    const areas = [...tallies]
      .map(([number, { named, words }]) => [named + words, number])
      .filter(([worth, number]) => pages[number].kind === "area" && worth >= near * rarest)
      .sort(([a, one], [b, other]) => b - a || one - other);
    return areas.length ? pages[areas[0][1]] : null;
  }

  // The words of a query, each with its worth for pages and its share in the query's sense.
  function groupsOf(text, rules, { terms, postings, spelling, cases }) {
    const group = (its, quarters) => {
      const worths = new Map();
      for (const term of its) {
        for (const [number, worth] of postings.get(term)) {
          const part = Math.floor((worth * quarters) / 4);
          worths.set(number, Math.max(worths.get(number) || 0, part));
        }
      }
      let [ofCases, ofAll] = [0, 0];
      for (const [number, worth] of worths) {
        if (number < cases) ofCases = Math.max(ofCases, worth);
        ofAll = Math.max(ofAll, worth);
      }
      return { worths, importance: ofCases || ofAll };
    };
    const groups = new Map();
    // Unknown terms of a name mean another whole name, or else other words.
    const guess = (unknown, last) => {
      for (const term of unknown) {
        let meant = last ? completions(term, rules, postings, spelling) : [];
        if (!meant.length) meant = correction(term, rules, postings, spelling);
        if (meant.length) groups.set(term, group(meant, 3));
        else if (isWord(term)) groups.set(term, { worths: new Map(), importance: rules.unknown });
        if (meant.length && !isWord(term)) return;
      }
    };
    const names = terms.namesIn(text);
    for (const [at, name] of names.entries()) {
      const made = terms.ofName(name);
      const known = new Set([name.toLowerCase(), ...made].filter((it) => postings.has(it)));
      for (const term of known) groups.set(term, group([term], 4));
      for (const part of name.split(".").filter((it) => !known.has(it.toLowerCase()))) {
        guess(terms.ofName(part).filter((it) => !known.has(it)), at === names.length - 1);
      }
    }
    return groups;
  }

  const isWord = (term) => /^[a-z]+$/.test(term);

  // The terms that most pages hold.
  function commonest(terms, most, postings) {
    const pages = (term) => postings.get(term).size;
    return terms.sort((a, b) => pages(b) - pages(a) || (a < b ? -1 : 1)).slice(0, most);
  }

  function completions(beginning, rules, postings, spelling) {
    const found = (spelling.get(beginning[0]) || []).filter(
      (it) => it.startsWith(beginning) && (isWord(it) || !isWord(beginning)),
    );
    return commonest(found, rules.completions, postings);
  }

  function correction(word, { long_word: long, short_word: short }, postings, spelling) {
    const isLong = word.length >= long;
    const most = isLong ? 2 : word.length >= short ? 1 : 0;
    let [least, nearest] = [most, []];
    for (const term of spelling.get(word[0]) || []) {
      if (Math.abs(term.length - word.length) > most) continue;
      const distance = edits(word, term, least, isLong ? 1 : 2);
      if (distance < least) [least, nearest] = [distance, []];
      if (distance === least) nearest.push(term);
    }
    return commonest(nearest, 1, postings);
  }

  // How many edits it takes (optimal string alignment), at most `most` + 1.
  function edits(one, other, most, replaced) {
    let [last, before, row] = [[], [], Array.from({ length: other.length + 1 }, (_, at) => at)];
    for (let i = 1; i <= one.length; i += 1) {
      [last, before, row] = [before, row, [i]];
      let least = i;
      for (let j = 1; j <= other.length; j += 1) {
        const differs = one[i - 1] === other[j - 1] ? 0 : replaced;
        let cost = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + differs);
        if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          cost = Math.min(cost, last[j - 2] + 1);
        }
        row.push(cost);
        least = Math.min(least, cost);
      }
      if (least > most) return most + 1;
    }
    return row[other.length];
  }

  function breaksIn(text, rules, ready) {
    const found = text.toLowerCase().match(new RegExp(rules.graph_break, "g")) || [];
    const whole = wholeBreak(text, rules, ready);
    return new Set(whole ? [...found, whole] : found);
  }

  // The id of a graph break that is the whole text; "" if it is none.
  function wholeBreak(text, rules, { keyOf }) {
    const whole = new RegExp(`^(?:${rules.whole_break})$`).exec(keyOf(text));
    return whole ? `gb${whole[1].padStart(4, "0")}` : "";
  }

  // What a line is exact evidence of, and signatures that say the same or begin so.
  function creditLine(index, { fitting, literals, keyOf }, line, breaks, tallies) {
    const { rules } = index;
    const key = keyOf(line.text);
    for (const it of fitting(line.text)) tallies.credit(it.cases, line, it.worth);
    for (const [literal, it] of literals) {
      if (key.includes(literal)) tallies.credit(it.cases, line, it.worth);
      else if (key.length >= rules.phrase && literal.includes(key)) {
        tallies.credit(it.cases, line, Math.floor((it.worth * key.length) / literal.length));
      }
    }
    for (const id of breaks) tallies.credit(index.breaks[id] || [], line, rules.exact);
  }

  // Names in a text count as much as the part of its sense that they are, squared.
  function creditNames(rules, { terms, keyOf, names, apis }, text, groups, asked, tallies) {
    const [words, isCode] = [text.split(/\s+/).filter(Boolean), new RegExp(rules.code)];
    const whole = keyOf(text);
    for (let start = 0; start < words.length; start += 1) {
      for (let stop = start + 1; stop <= Math.min(start + rules.name_words, words.length); stop += 1) {
        const phrase = words.slice(start, stop).join(" ");
        const key = keyOf(phrase);
        let share = 0;
        for (const it of new Set(terms.ofText(phrase))) share += groups.get(it)?.importance || 0;
        share = Math.min(share, asked);
        const worth =
          key === whole ? rules.called : Math.floor((rules.named * share * share) / (asked * asked));
        tallies.name(names.get(key) || [], worth);
        if (key !== whole && !isCode.test(phrase)) continue;
        tallies.name(apis.get(key) || [], Math.floor(worth / 2));
      }
    }
  }

  const readied = (index) => {
    if (!prepared.has(index)) prepared.set(index, prepare(index));
    return prepared.get(index);
  };
  // The page of a family by its number, and that of a graph break by its id.
  const family = (index, number) => readied(index).pages[index.pages.length + number];
  const familyOf = (index, id) => readied(index).pages[readied(index).familyNumbers.get(id.toLowerCase())];

  return { search, family, familyOf };
})();
