// The page to paste an error into: reads the text, shows the answers, all of them as text.
(() => {
  const most = 32 << 20; // bytes of a file; the command line reads more
  const shownLines = 3;
  const [form, log, file, torch, said, unexplained, list, nothing] = [
    "match", "log", "file", "torch", "said", "unexplained", "matches", "nothing",
  ].map((id) => document.getElementById(`cb-${id}`));

  const element = (tag, ...children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };
  // Text in which every other piece between backticks is code.
  const withCode = (text) =>
    text.split("`").map((piece, at) => (at % 2 ? element("code", piece) : piece));

  function item(answer, release) {
    const { name, score, by: speaks, lines } = answer;
    const link = element("a", ...withCode(answer.title));
    link.href = `../catalog/${name}/index.html`;
    const by = speaks === "words" ? ", by its words alone" : "";
    const made = element("li", link, " ", element("code", name), " ", element("small", `score ${score}${by}`));
    made.append(element("p", ...withCode(answer.summary)));
    if (lines.length) {
      const shown = lines.slice(0, shownLines).map(({ line, text }) => `${line}: ${text.trim()}`);
      const box = element("pre", element("code", shown.join("\n")));
      box.tabIndex = 0;
      made.append(box);
    }
    if (answer.fix) made.append(element("p", element("b", "Fix "), ...withCode(answer.fix)));
    const known = casebookMatch.statusOn(casebookData.answers[answer.number], release);
    if (known) made.append(element("p", element("b", `torch ${release} `), known));
    return made;
  }

  function pageOfPyTorch(name) {
    const link = element("a", name);
    link.href = unexplained.dataset.registry.replace("{}", name.toLowerCase());
    link.rel = "noopener";
    return link;
  }

  function summary(matches) {
    const { length: count, 0: best } = matches;
    if (!count) return said.dataset.nothing;
    if (best.by === "words") return said.dataset.guesses;
    return `${count} case${count === 1 ? "" : "s"}, best first.`;
  }

  function show(text, leftOut) {
    const found = casebookMatch.search(casebookData.index, text);
    const release = torch.validity.valid && torch.value ? torch.value : found.torch;
    list.replaceChildren(...found.matches.map((match) => item(match, release)));
    unexplained.hidden = !found.unexplained.length;
    unexplained.replaceChildren(
      "No case is about these graph breaks yet; see PyTorch's pages about them: ",
      ...found.unexplained.flatMap((name) => [pageOfPyTorch(name), " "]),
    );
    const [best] = found.matches;
    nothing.hidden = !text.trim() || Boolean(best && best.by !== "words");
    said.textContent = [
      text.trim() && summary(found.matches),
      release && `torch ${release}.`,
      leftOut && "The file is long: only its beginning was read.",
    ].filter(Boolean).join(" ");
  }

  async function textOf(chosen) {
    const bytes = await chosen.slice(0, most).arrayBuffer();
    const [first, second] = new Uint8Array(bytes);
    const mark = (first << 8) | second;
    const encoding = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[mark] || "utf-8";
    return new TextDecoder(encoding).decode(bytes);
  }

  async function find() {
    const [chosen] = file.files;
    if (chosen && !log.value) show(await textOf(chosen), chosen.size > most);
    else show(log.value);
  }

  let waiting;
  log.addEventListener("input", () => {
    file.value = "";
    clearTimeout(waiting);
    waiting = setTimeout(find, 300);
  });
  file.addEventListener("change", () => {
    log.value = "";
    find();
  });
  torch.addEventListener("change", find);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find();
  });
  form.hidden = false;
})();
