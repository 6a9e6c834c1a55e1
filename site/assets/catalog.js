// Filters the catalog's table. The filters stand in the address; without this the table is whole.
(() => {
  const form = document.getElementById("cb-filters");
  const status = document.getElementById("cb-found");
  const rows = [...document.querySelectorAll(".cb-cases tbody tr")];
  const fields = [...form.querySelectorAll("select")];
  const states = form.dataset.states.split(" ");
  const columns = form.dataset.columns.split(";").map((text) => {
    const [device, accelerator, torch, absent] = text.split(" ");
    return { device, accelerator, torch, absent };
  });
  const cases = rows.map((row) => ({ row, ...row.dataset }));
  const labels = new Map([...form.querySelectorAll("option")].map((o) => [o, o.text]));

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

  const count = (wanted) => cases.filter((each) => isFound(wanted, each)).length;

  function show(ignored = []) {
    const wanted = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    let found = 0;
    for (const each of cases) {
      each.row.hidden = !isFound(wanted, each);
      found += !each.row.hidden;
    }
    for (const field of fields) {
      for (const option of field.options) {
        const hits = count({ ...wanted, [field.name]: option.value });
        option.text = `${labels.get(option)} (${hits})`;
      }
    }
    const unknown = ignored.length ? ` Ignored, because no case has it: ${ignored.join(", ")}.` : "";
    status.textContent = `${found} of ${cases.length} cases.${unknown}`;
  }

  function readAddress() {
    const address = new URLSearchParams(location.search);
    const ignored = [];
    for (const field of fields) {
      const value = address.get(field.name) || "";
      field.value = value;
      if (field.selectedIndex < 0) {
        field.value = "";
        ignored.push(`${field.name}=${value}`);
      }
    }
    show(ignored);
  }

  function writeAddress() {
    const address = new URLSearchParams(location.search);
    for (const { name, value } of fields) {
      if (value) address.set(name, value);
      else address.delete(name);
    }
    const query = address.toString();
    history.pushState(null, "", location.pathname + (query && `?${query}`));
  }

  form.addEventListener("change", () => {
    writeAddress();
    show();
  });
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    for (const field of fields) field.value = "";
    writeAddress();
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("popstate", readAddress);
  form.hidden = false;
  readAddress();
})();
