// Filters and sorts the catalog by the data of its cases and by their cells.
addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("cb-filters");
  const states = form.dataset.states.split(" ");
  const columns = form.dataset.columns.split(";").map((text) => {
    const [device, accelerator, torch, absent] = text.split(" ");
    return { device, accelerator, torch, absent };
  });
  const body = document.querySelector(".cb-cases tbody");
  const heads = [...body.querySelectorAll(".cb-area")];
  const all = [...body.rows];
  const rows = all.filter((row) => !heads.includes(row));
  const parts = new Map();
  let area = "";
  for (const row of all) {
    if (heads.includes(row)) ({ area } = row.dataset);
    else {
      const [kind, code] = casebook.caseOf(row.querySelector(".cb-news"));
      const title = row.querySelector("th a").textContent;
      const id = casebook.element("code", casebook.nameIn(row.querySelector("th a")));
      id.className = "cb-id";
      row.cells[0].append(id);
      const text = `${row.cells[0].textContent} ${row.dataset.words || ""}`.toLowerCase();
      parts.set(row, { area, kind, code, title, text, severity: row.cells[2].textContent });
    }
  }
  const newest = casebookTorch.releases[casebookTorch.releases.length - 1];
  const tones = ["bad", "warn", "none", "info", "good"];
  const severities = ["high", "medium", "low"];

  const toneOf = (row) => {
    const { kind, code } = parts.get(row);
    return casebook.news(kind, code, casebook.chosen() || newest)[0];
  };
  const isIn = (wanted, column) =>
    (!wanted.device || [column.device, column.accelerator].includes(wanted.device)) &&
    (wanted.torch ? ["*", wanted.torch].includes(column.torch) : !column.absent);

  // The decided state on a release, "" if there is none.
  function decided(code, release) {
    const letter = code.length > 1 ? code[casebookTorch.releases.indexOf(release)] : "";
    const { confirmed, refuted, unexplained, ...others } = casebookTorch.letters;
    if (letter === unexplained) return refuted;
    return [confirmed, refuted, others["remedy-failed"]].includes(letter) ? letter : "";
  }

  function changed(row, { from, to }) {
    const { code } = parts.get(row);
    const [before, after] = [decided(code, from), decided(code, to)];
    return before && after && before !== after;
  }

  // One cell has to answer all questions about cells, or "skipped on CUDA" would find a case that
  // is skipped on the CPU.
  function isFound(wanted, { row, silent, cells }) {
    const { area, kind, severity, text } = parts.get(row);
    if ((wanted.area || area) !== area || (wanted.kind || kind) !== kind) return false;
    if ((wanted.severity || severity) !== severity || (wanted.silent && !silent)) return false;
    if (!(wanted.text || "").toLowerCase().split(/\s+/).every((it) => text.includes(it))) return false;
    if (wanted.here && toneOf(row) !== wanted.here) return false;
    if (wanted.from && wanted.to && !changed(row, wanted)) return false;
    if (!wanted.device && !wanted.status && !wanted.torch) return true;
    const letters = casebook.unpacked(cells);
    return columns.some((column, index) => {
      if (!isIn(wanted, column)) return false;
      const letter = letters[index];
      if (!wanted.status) return letter === letter.toLowerCase();
      return states[letter.toLowerCase().charCodeAt(0) - 97] === wanted.status;
    });
  }

  const keys = {
    title: (row) => parts.get(row).title.toLowerCase(),
    severity: (row) => severities.indexOf(parts.get(row).severity),
    here: (row) => tones.indexOf(toneOf(row)),
  };
  function sort({ sort: by = "" }) {
    const key = keys[by];
    if (key) {
      const keyed = rows.map((row) => [key(row), row]);
      keyed.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
      body.append(...keyed.map(([, row]) => row));
    } else body.append(...all);
    const shown = new Set(rows.filter((row) => !row.hidden).map((row) => parts.get(row).area));
    for (const head of heads) head.hidden = Boolean(key) || !shown.has(head.dataset.area);
  }

  casebook.onTorch(filterRows(rows, isFound, sort));
});
