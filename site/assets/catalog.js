// Filters the catalog by the data of its cases and by their cells.
(() => {
  const form = document.getElementById("cb-filters");
  const states = form.dataset.states.split(" ");
  const columns = form.dataset.columns.split(";").map((text) => {
    const [device, accelerator, torch, absent] = text.split(" ");
    return { device, accelerator, torch, absent };
  });

  const isIn = (wanted, column) =>
    (!wanted.device || [column.device, column.accelerator].includes(wanted.device)) &&
    (wanted.torch ? ["*", wanted.torch].includes(column.torch) : !column.absent);

  // One cell has to answer all questions about cells, or "skipped on CUDA" would find a case that
  // is skipped on the CPU.
  function isFound(wanted, { area, kind, cells }) {
    if ((wanted.area || area) !== area || (wanted.kind || kind) !== kind) return false;
    if (!wanted.device && !wanted.status && !wanted.torch) return true;
    return columns.some((column, index) => {
      if (!isIn(wanted, column)) return false;
      const letter = cells[index];
      if (!wanted.status) return letter === letter.toLowerCase();
      return states[letter.toLowerCase().charCodeAt(0) - 97] === wanted.status;
    });
  }

  filterRows([...document.querySelectorAll(".cb-cases tbody tr")], isFound);
})();
