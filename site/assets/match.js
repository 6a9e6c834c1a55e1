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

  // How lines are read: what each tells, and whether a program printed it.
  function linesOf({ prefix, frame, library, exception, logged, telling }) {
    const at = (pattern, flags = "") => new RegExp(`^(?:${pattern})`, flags);
    const [inFront, isFrame, isException] = [at(prefix), at(frame), at(exception)];
    const [isLibrary, isTelling] = [new RegExp(library), new RegExp(telling, "i")];
    const printed = [inFront, isFrame, isException, at(logged)];
    const weigher = () => {
      let insideLibrary = false;
      return (line) => {
        const text = line.replace(inFront, "");
        const found = isFrame.exec(text);
        if (found) insideLibrary = isLibrary.test(found[1]);
        else if (!text.startsWith("    ")) insideLibrary = false;
        if (found || insideLibrary) return [text, 0];
        return [text, isException.test(text) ? 3 : isTelling.test(text) ? 2 : 1];
      };
    };
    return { weigher, isLogged: (line) => printed.some((it) => it.test(line)) };
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

  // What a search needs of an index, made when it is first used.
  function prepare(index) {
    const { rules } = index;
    const terms = termsOf(rules);
    const noKey = new RegExp(rules.not_of_a_key, "g");
    const keyOf = (name) => plain(name).toLowerCase().replace(noKey, "");
    const pages = index.pages.map((page, number) => ({
      number, kind: "case", summary: "", fix: "", aliases: [], tenths: 10, ...page,
    }));
    const cases = pages.filter(({ kind }) => kind === "case").length;
    const signatures = index.signatures.map(({ pattern, place: [start, stop], cases: its }) => ({
      pattern,
      regex: null,
      literal: pattern.slice(start, stop).replace(/\\(.)/g, "$1"),
      cases: its,
      worth: rules.exact + Math.floor(rules.exact / its.length),
    }));
    const postings = weigh(index, pages, cases, terms);
    const spelling = new Map();
    for (const term of postings.keys()) listed(spelling, term[0]).push(term);
    const isBreak = new RegExp(`^(?:${rules.graph_break})$`);
    const [names, apis] = [new Map(), new Map()];
    for (const [number, page] of pages.entries()) {
      for (const key of new Set([page.name, ...page.aliases].map(keyOf))) {
        listed(names, key).push(number);
      }
      for (const [text, quarters] of [[page.fix, 1], [page.title, 2]]) {
        for (const [, code] of text.matchAll(/`([^`]+)`/g)) {
          const parts = terms.namesIn(code).flatMap((name) => [name, ...name.split(".")]);
          for (const key of [code, ...parts].map(keyOf)) {
            if (key.length < 3 || isBreak.test(key)) continue; // a variable
            if (!apis.has(key)) apis.set(key, new Map());
            apis.get(key).set(number, quarters);
          }
        }
      }
    }
    const literals = signatures
      .map((it) => [keyOf(it.literal), it])
      .filter(([key]) => key.length >= rules.phrase)
      .filter(([key, it]) => 4 * key.length >= 3 * keyOf(it.pattern).length);
    const lines = linesOf(rules);
    return { pages, cases, signatures, terms, keyOf, postings, spelling, names, apis, literals, lines };
  }

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
    for (const { pattern, cases: its } of index.signatures) {
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
    return postings;
  }

  const prepared = new WeakMap();
  function search(index, text, most = 5) {
    if (!prepared.has(index)) prepared.set(index, prepare(index));
    const ready = prepared.get(index);
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
    of(number) {
      if (!this.has(number)) {
        this.set(number, { exact: 0, named: 0, words: 0, covered: 0, lines: new Map() });
      }
      return this.get(number);
    }
    credit(numbers, line, worth) {
      for (const number of numbers) {
        const it = this.of(number);
        it.exact = Math.max(it.exact, worth);
        it.lines.set(line.line, line);
      }
    }
    name(numbers, worth) {
      for (const number of numbers) this.of(number).named = Math.max(this.of(number).named, worth);
    }
  }

  // The page with its score, what speaks most for it, and the lines that are exact evidence.
  function matchOf(page, { exact, named, lines }, words) {
    const by = lines.size ? "line" : named ? "name" : "words";
    const score = Math.floor((exact * page.tenths) / 10) + named + words;
    return { ...page, score, by, lines: [...lines.values()] };
  }

  function ranked(matches, most) {
    const byName = (a, b) => (a.name < b.name ? -1 : 1);
    return matches.sort((a, b) => b.score - a.score || byName(a, b)).slice(0, most);
  }

  const idsOf = (breaks, most) => [...breaks].sort().slice(0, most).map((id) => id.toUpperCase());
  const releaseIn = (text, rules) => (new RegExp(rules.torch, "i").exec(text) || ["", ""])[1];

  function searchLog(index, { pages, cases, signatures, terms, postings, lines }, text, most) {
    const { rules } = index;
    const [weigher, tallies, weights] = [lines.weigher(), new Tallies(), new Map()];
    const [breakId, isNumber] = [new RegExp(rules.graph_break, "g"), new RegExp(rules.number, "g")];
    const [seen, breaks] = [new Set(), new Set()];
    let unmatched = signatures;
    let [torch, telling, about, near] = ["", 0, !index.subject.length, false];
    for (const [line, whole] of readLines(text, rules)) {
      const [clue, weight] = weigher(whole);
      if (!clue) continue;
      const shape = clue.replace(isNumber, "");
      if (seen.has(shape)) continue;
      if (seen.size < rules.remembered) seen.add(shape);

      torch ||= releaseIn(clue, rules);
      const lowered = clue.toLowerCase();
      about ||= index.subject.some((phrase) => lowered.includes(phrase));
      near ||= index.near_subject.some((phrase) => lowered.includes(phrase));
      for (const it of matching(unmatched, clue)) {
        unmatched = unmatched.filter((other) => other !== it);
        near = true;
        tallies.credit(it.cases, { line, text: clue }, it.worth);
      }
      for (const id of lowered.match(breakId) || []) {
        if (breaks.has(id)) continue;
        breaks.add(id);
        tallies.credit(index.breaks[id] || [], { line, text: clue }, rules.exact);
      }
      if (weight && telling < rules.telling_lines) {
        telling += 1;
        for (const term of terms.ofText(clue)) {
          if (!(weights.get(term) >= weight)) weights.set(term, weight);
        }
      }
    }
    if (!about && !near) return { query: false, torch, matches: [], unexplained: [] };

    let top = 1;
    for (const weight of weights.values()) top = Math.max(top, weight);
    for (const [term, weight] of weights) {
      for (const [number, worth] of postings.get(term) || []) {
        tallies.of(number).words += worth * weight;
      }
    }
    const byWords = about ? rules.least : rules.least_near;
    const matches = [...tallies]
      .filter(([number]) => number < cases)
      .map(([number, it]) => matchOf(pages[number], it, Math.floor(it.words / top)))
      .filter((it) => it.score >= (it.lines.length ? rules.least : byWords));
    const unknown = [...breaks].filter((id) => !index.breaks[id]);
    return { query: false, torch, matches: ranked(matches, most), unexplained: idsOf(unknown, most) };
  }

  const matching = (signatures, text) =>
    signatures.filter((it) => {
      if (!text.includes(it.literal)) return false;
      it.regex ||= new RegExp(it.pattern, "s");
      return it.regex.test(text);
    });

  function searchQuery(index, ready, lines, most) {
    const { rules } = index;
    const text = lines.map(([, line]) => line).join(" ");
    const [breaks, groups] = [breaksIn(text, rules, ready), groupsOf(text, rules, ready)];
    let asked = 0;
    for (const { importance } of groups.values()) asked += importance;
    asked = Math.max(asked, 1);
    const tallies = new Tallies();
    const weigher = ready.lines.weigher();
    for (const [line, whole] of lines) {
      const [clue] = weigher(whole);
      if (clue) creditLine(index, ready, { line, text: clue }, breaks, tallies);
    }
    creditNames(rules, ready, text, groups, asked, tallies);
    for (const id of breaks) {
      tallies.name(index.breaks[id] || [], Math.floor(rules.called / 2));
      tallies.name(ready.names.get(id) || [], rules.called);
    }
    for (const { worths, importance } of groups.values()) {
      for (const [number, worth] of worths) {
        tallies.of(number).words += worth;
        tallies.of(number).covered += importance;
      }
    }
    const lowered = text.toLowerCase();
    const about = index.subject.some((phrase) => lowered.includes(phrase));
    const least = about ? rules.least : rules.least_near;
    const share = about ? rules.covered : rules.covered_near;
    const answers = ({ lines: its, named, words, covered }) =>
      its.size || named || words >= least || 100 * covered >= share * asked;
    const matches = [...tallies]
      .filter(([, it]) => answers(it))
      .map(([number, it]) =>
        matchOf(ready.pages[number], it, Math.floor((it.words * it.covered) / asked)),
      );
    const unknown = [...breaks].filter((id) => !index.breaks[id] && !ready.names.has(id));
    return {
      query: true,
      torch: releaseIn(text, rules),
      matches: ranked(matches, most),
      unexplained: idsOf(unknown, most),
    };
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

  function breaksIn(text, rules, { keyOf }) {
    const whole = new RegExp(`^(?:${rules.whole_break})$`).exec(keyOf(text));
    const found = text.toLowerCase().match(new RegExp(rules.graph_break, "g")) || [];
    return new Set([...found, ...(whole ? [`gb${whole[1].padStart(4, "0")}`] : [])]);
  }

  // What a line is exact evidence of, and signatures that say the same or begin so.
  function creditLine(index, { signatures, literals, keyOf }, line, breaks, tallies) {
    const { rules } = index;
    const key = keyOf(line.text);
    for (const it of matching(signatures, line.text)) tallies.credit(it.cases, line, it.worth);
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
        for (const [number, quarters] of apis.get(key) || []) {
          tallies.name([number], Math.floor((worth * quarters) / 4));
        }
      }
    }
  }

  return { search };
})();
