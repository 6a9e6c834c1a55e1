// The box to paste an error into: it answers right there.
(() => {
  const most = 32 << 20; // bytes of a file; the command line reads more
  const [form, log, file, place] = ["paste", "log", "file", "answers"].map((id) =>
    document.getElementById(`cb-${id}`),
  );

  async function textOf(chosen) {
    const bytes = await chosen.slice(0, most).arrayBuffer();
    const [first, second] = new Uint8Array(bytes);
    const mark = (first << 8) | second;
    const encoding = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[mark] || "utf-8";
    return new TextDecoder(encoding).decode(bytes);
  }

  let asked = 0;
  async function find() {
    const [chosen] = file.files;
    const mine = (asked += 1);
    const text = chosen && !log.value ? await textOf(chosen) : log.value;
    if (!text.trim()) return place.replaceChildren();
    await casebook.load();
    if (mine !== asked) return undefined;
    const made = casebookAnswers.answers(text, place.dataset);
    if (chosen && !log.value && chosen.size > most) {
      made.unshift(casebook.element("p", "The file is long: only its beginning was read."));
    }
    return place.replaceChildren(...made);
  }

  let waiting;
  log.addEventListener("focus", casebook.load, { once: true });
  log.addEventListener("input", () => {
    file.value = "";
    clearTimeout(waiting);
    waiting = setTimeout(find, 200);
  });
  file.addEventListener("change", () => {
    log.value = "";
    find();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });
  casebook.onTorch(find);
})();
