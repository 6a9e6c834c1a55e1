// The search of `python -m validators match`: the same index and the same sums, in the browser.
// Both must give the same answers; tests see to that.
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
    for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
      number += 1;
      for (let start = 0; start === 0 || start < line.length; start += piece) {
        for (const part of texts(line.slice(start, start + piece))) yield [number, clean(part)];
      }
    }
  }

  function weigher({ prefix, frame, library, exception, telling }) {
    const at = (pattern, flags = "") => new RegExp(`^(?:${pattern})`, flags);
    const [inFront, isFrame, isException] = [at(prefix), at(frame), at(exception)];
    const [isLibrary, isTelling] = [new RegExp(library), new RegExp(telling, "i")];
    let insideLibrary = false;
    return (line) => {
      const text = line.replace(inFront, "");
      const found = isFrame.exec(text);
      if (found) insideLibrary = isLibrary.test(found[1]);
      else if (!text.startsWith("    ")) insideLibrary = false;
      if (found || insideLibrary) return [text, 0];
      return [text, isException.test(text) ? 3 : isTelling.test(text) ? 2 : 1];
    };
  }

  function wordsOf({ name, part, endings, common }) {
    const [names, parts] = [new RegExp(name, "g"), new RegExp(part, "g")];
    const [ends, ignored] = [endings.split(" "), new Set(common.split(" "))];
    const stem = (word) => {
      const ending = ends.find((it) => word.endsWith(it) && word.length - it.length >= 4);
      return ending ? word.slice(0, -ending.length) : word;
    };
    const pieces = (dotted) => {
      const found = dotted.includes(".") ? [dotted.toLowerCase()] : [];
      for (const component of dotted.split(".")) {
        const made = component.match(parts) || [];
        if (made.length > 1) found.push(component.toLowerCase());
        const lowered = made.map((it) => it.toLowerCase());
        found.push(...lowered.filter((it) => it.length > 2 && !ignored.has(it)).map(stem));
      }
      return found;
    };
    const known = new Map();
    return (text) =>
      (text.match(names) || []).flatMap((it) => {
        if (!known.has(it)) known.set(it, pieces(it));
        return known.get(it);
      });
  }

  function search(index, text, most = 5) {
    const { rules } = index;
    const [weigh, words] = [weigher(rules), wordsOf(rules)];
    const [release, breakId] = [new RegExp(rules.torch, "i"), new RegExp(rules.graph_break, "g")];
    const isNumber = new RegExp(rules.number, "g");
    let unmatched = index.signatures.map((it) => ({ ...it, regex: null }));
    const [tallies, weights] = [new Map(), new Map()];
    const [seen, breaks] = [new Set(), new Set()];
    let [torch, telling, about, near] = ["", 0, !index.subject.length, false];

    // What speaks for a case, by its number.
    const tally = (number) => {
      if (!tallies.has(number)) tallies.set(number, { exact: 0, words: 0, lines: new Map() });
      return tallies.get(number);
    };
    const credit = (numbers, line, worth) => {
      for (const number of numbers) {
        tally(number).exact = Math.max(tally(number).exact, worth);
        tally(number).lines.set(line.line, line);
      }
    };

    for (const [line, whole] of readLines(text, rules)) {
      const [clue, weight] = weigh(whole);
      if (!clue) continue;
      const shape = clue.replace(isNumber, "");
      if (seen.has(shape)) continue;
      if (seen.size < rules.remembered) seen.add(shape);

      torch ||= (release.exec(clue) || ["", ""])[1];
      const lowered = clue.toLowerCase();
      about ||= index.subject.some((phrase) => lowered.includes(phrase));
      near ||= index.near_subject.some((phrase) => lowered.includes(phrase));
      for (const it of unmatched.filter(({ literal }) => clue.includes(literal))) {
        it.regex ||= new RegExp(it.pattern, "s");
        if (!it.regex.test(clue)) continue;
        unmatched = unmatched.filter((other) => other !== it);
        near = true;
        const worth = rules.exact + Math.floor(rules.exact / it.cases.length);
        credit(it.cases, { line, text: clue }, worth);
      }
      for (const id of lowered.match(breakId) || []) {
        if (breaks.has(id)) continue;
        breaks.add(id);
        credit(index.breaks[id] || [], { line, text: clue }, rules.exact);
      }
      if (weight && telling < rules.telling_lines) {
        telling += 1;
        for (const word of words(clue)) {
          if (!(weights.get(word) >= weight)) weights.set(word, weight);
        }
      }
    }
    if (!about && !near) return { torch, matches: [], unexplained: [] };

    let top = 1;
    for (const weight of weights.values()) top = Math.max(top, weight);
    for (const [word, weight] of weights) {
      const postings = Object.hasOwn(index.postings, word) ? index.postings[word] : [];
      for (let at = 0, number = 0; at < postings.length; at += 2) {
        number += postings[at];
        tally(number).words += postings[at + 1] * weight;
      }
    }
    const matches = [...tallies].map(([number, { exact, words: spoken, lines }]) => ({
      case: index.cases[number],
      score: Math.floor((exact * index.tenths[number]) / 10) + Math.floor(spoken / top),
      lines: [...lines.values()],
    }));
    const byWords = about ? rules.least : rules.least_near;
    const byName = (a, b) => (a.case < b.case ? -1 : 1);
    return {
      torch,
      matches: matches
        .filter(({ score, lines }) => score >= (lines.length ? rules.least : byWords))
        .sort((a, b) => b.score - a.score || byName(a, b))
        .slice(0, most),
      unexplained: [...breaks]
        .filter((id) => !index.breaks[id])
        .sort()
        .slice(0, most)
        .map((id) => id.toUpperCase()),
    };
  }

  const numbers = (release) => {
    const found = (release.match(/[0-9]+/g) || []).slice(0, 3).map(Number);
    return [...found, 0, 0, 0].slice(0, 3);
  };
  const compare = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

  // What is known of the claim on the release `torch`; "" where it is "".
  function statusOn({ decided, fixed_in: fixed }, torch) {
    if (!torch) return "";
    const columns = Object.keys(decided);
    const said = (names) => names.map((it) => `${decided[it]} on ${it}`).join(", ");
    const prefixes = ["-", ".", "+"].map((it) => `torch-${torch}${it}`);
    const on = columns.filter((it) => prefixes.some((prefix) => it.startsWith(prefix)));
    if (on.length) return said(on);
    const named = numbers(torch);
    const fix = fixed.find((it) => compare(named, numbers(it)) >= 0);
    if (fix) return `fixed in ${fix}`;
    const release = (column) => numbers(column.split("-")[1]);
    const releases = columns.map(release).sort(compare);
    const nearest = [
      ...releases.filter((it) => compare(it, named) < 0).slice(-1),
      ...releases.filter((it) => compare(it, named) > 0).slice(0, 1),
    ];
    const elsewhere = columns.filter((it) => nearest.some((near) => !compare(near, release(it))));
    return `not run on torch ${torch}; ${said(elsewhere) || "nothing has decided it"}`;
  }

  return { search, statusOn };
})();
