// Filters what a page lists. The address holds the filters; without this script the list is complete.
// `isFound(wanted, data)` says whether a row's data match, `afterwards` runs once rows are shown or
// hidden.
function filterRows(rows, isFound, afterwards = () => {}) {
  const form = document.getElementById("cb-filters");
  const status = document.getElementById("cb-found");
  const fields = [...form.querySelectorAll("select, input")];
  const items = rows.map((row) => ({ row, ...row.dataset }));
  const labels = new Map([...form.querySelectorAll("option")].map((o) => [o, o.text]));
  const counted = fields.filter(({ name, tagName }) => tagName === "SELECT" && name !== "sort");

  const count = (wanted) => items.filter((each) => isFound(wanted, each)).length;

  function show(ignored = []) {
    const wanted = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    let found = 0;
    for (const each of items) {
      each.row.hidden = !isFound(wanted, each);
      found += !each.row.hidden;
    }
    for (const field of counted) {
      for (const option of field.options) {
        const hits = count({ ...wanted, [field.name]: option.value });
        option.text = `${labels.get(option)} (${hits})`;
      }
    }
    const { one } = form.dataset;
    const unknown = ignored.length ? ` Ignored, because no ${one} has it: ${ignored.join(", ")}.` : "";
    status.textContent = `${found} of ${items.length} ${one}s.${unknown}`;
    afterwards(wanted);
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
      if (field.value) field.closest("details")?.setAttribute("open", "");
    }
    show(ignored);
  }

  function writeAddress(replace) {
    const address = new URLSearchParams(location.search);
    for (const { name, value } of fields) {
      if (value) address.set(name, value);
      else address.delete(name);
    }
    const query = address.toString();
    const place = location.pathname + (query && `?${query}`);
    history[replace ? "replaceState" : "pushState"](null, "", place);
  }

  // Words filter while they are typed, as one step of the history; a choice is a step of its own.
  for (const type of ["input", "change"]) {
    form.addEventListener(type, ({ target }) => {
      const typed = target.type === "search";
      if (typed !== (type === "input")) return;
      writeAddress(typed);
      show();
    });
  }
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
  return show;
}
