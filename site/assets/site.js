// What every page does: the reader's torch, the search box, the pages of an area beside a case.
const casebook = (() => {
  const byId = (id) => document.getElementById(id);
  const root = JSON.parse(byId("__config").textContent).base.replace(/\/?$/, "/");
  const { releases, words, letters, fixed, clear } = casebookTorch;

  const element = (tag, ...children) => {
    const made = document.createElement(tag);
    made.append(...children);
    return made;
  };
  // Text in which every other piece between backticks is code.
  const withCode = (text) =>
    text.split("`").map((piece, at) => (at % 2 ? element("code", piece) : piece));

  // A page from disk may have no storage.
  const kept = (name, value) => {
    try {
      if (value === undefined) return localStorage.getItem(name) || "";
      localStorage.setItem(name, value);
    } catch {}
    return "";
  };

  // Your torch
  const select = byId("cb-torch");
  const listeners = [];
  const short = (release) => (release.split(".").length === 3 ? release.replace(/\.0$/, "") : release);
  const affected = [letters.confirmed, letters["remedy-failed"], letters.unremedied];

  // The letters of a case on the device that counts, and the place of the chosen release in them.
  function read(code, chosen) {
    const [release, asked] = chosen.split(" ");
    const [cpu, cuda] = [code.slice(0, releases.length), code.slice(releases.length)];
    const onGpu = asked === "cuda" || [...cpu].every((it) => it === letters.na);
    return { states: onGpu ? cuda : cpu, at: releases.indexOf(release), release, onGpu };
  }

  function fixedIn(kind, states, at) {
    if (kind !== "limitation" || states[at] !== letters.refuted) return "";
    let last = -1;
    for (let it = 0; it < at; it += 1) if (affected.includes(states[it])) last = it;
    return last < 0 ? "" : releases[states.indexOf(letters.refuted, last + 1)];
  }

  // Whether a limitation is known to have come with a later release.
  function isClear(kind, states, at) {
    if (kind !== "limitation" || states[at] !== letters.refuted) return false;
    const shown = [...states].map((it) => affected.includes(it));
    return !shown.slice(0, at).includes(true) && shown.includes(true);
  }

  // What a case means on a release: tone, sign and words; the same as `Here.on` in effect.py.
  function news(kind, code, chosen) {
    if (code.length === 1) return words[kind][code];
    const { states, at, release, onGpu } = read(code, chosen);
    const [tone, sign, said] = isClear(kind, states, at) ? clear : words[kind][states[at]];
    if (states[at] === letters.na) return [tone, sign, `${said} ${onGpu ? "GPU" : "CPU"}s`];
    const since = fixedIn(kind, states, at);
    if (since) return [fixed[0], fixed[1], `${fixed[2]} ${short(since)}`];
    let text = `${said} ${short(release)}${onGpu ? " (GPU)" : ""}`;
    if (kind === "limitation" && affected.includes(states[at])) {
      for (let it = at + 1; it < states.length; it += 1) {
        const later = fixedIn(kind, states, it);
        if (later) return [tone, sign, `${text}, ${fixed[2]} ${short(later)}`];
      }
    }
    return [tone, sign, text];
  }

  // The kind of a case, which most pages leave out, and its state on each release.
  const unpacked = (code) => code.replace(/(\D)(\d+)/g, (_, letter, times) => letter.repeat(times));
  const caseOf = ({ dataset }) => [dataset.kind ?? "limitation", unpacked(dataset.code)];

  function showNews(place, chosen) {
    const [tone, sign, said] = news(...caseOf(place), chosen);
    const mark = element("i", sign);
    mark.setAttribute("aria-hidden", "true");
    place.className = `cb-news cb-${tone}`;
    place.replaceChildren(mark, ` ${said}`);
  }

  // The same on each release that ran on the device that counts, a sign for each.
  function signs(kind, code) {
    const made = element("span");
    made.className = "cb-dots";
    if (code.length === 1) return made;
    const each = releases.map((it) => news(kind, code, it));
    made.append(
      ...each.map(([tone, sign]) => {
        const mark = element("i", sign);
        mark.className = `cb-${tone}`;
        return mark;
      }),
    );
    made.role = "img";
    made.title = each.map(([, , said]) => said).join("; ");
    made.setAttribute("aria-label", made.title);
    return made;
  }

  // What to say of the fix of a case on a release, if there is anything to say.
  function ofFix(kind, code, chosen) {
    if (code.length === 1) return "";
    const { states, at, release } = read(code, chosen);
    const torch = `torch ${short(release)}`;
    if (states[at] === letters["remedy-failed"]) return `This does not work on ${torch}.`;
    if (fixedIn(kind, states, at) || isClear(kind, states, at)) return `You need no fix on ${torch}.`;
    if (states[at] === letters.unexplained || (states[at] === letters.refuted && kind === "limitation")) {
      return `One program looked for this on ${torch} and did not find it. Try yours.`;
    }
    if (states[at] === letters.confirmed) return "";
    if (states[at] === letters.unremedied) return `This needs what ${torch} lacks, or the proof does.`;
    return `No program has decided this on ${torch}.`;
  }

  const numbers = (release) => [...release.split(".").map(Number), 0, 0].slice(0, 3);
  const earlier = (one, other) => {
    const at = numbers(one).findIndex((it, place) => it !== numbers(other)[place]);
    return at >= 0 && numbers(one)[at] < numbers(other)[at];
  };

  // What to say of a case on a release that a log names and nobody ran.
  function ofUnrun(kind, code, torch) {
    if (code.length === 1) return "";
    const near = [
      ...releases.filter((it) => earlier(it, torch)).slice(-1),
      ...releases.filter((it) => earlier(torch, it)).slice(0, 1),
    ];
    const known = near.map((it) => news(kind, code, it)[2]).join("; ");
    return `No program has run on torch ${torch}: ${known}.`;
  }

  const newsOf = (kind, code) => {
    const place = element("span");
    Object.assign(place.dataset, { kind, code });
    const newest = releases[releases.length - 1] || "";
    if (code.length === 1 || newest) showNews(place, chosen() || newest);
    return place;
  };

  const chosen = () => (select ? select.value : "");

  const first = new Map(); // what a page says of no release in particular
  function showTorch() {
    const value = chosen();
    for (const place of document.querySelectorAll(".cb-news[data-code]")) {
      if (!first.has(place)) first.set(place, [place.className, [...place.childNodes]]);
      if (value) showNews(place, value);
      else {
        const [kind, words] = first.get(place);
        place.className = kind;
        place.replaceChildren(...words);
      }
    }
    const [note, about] = [".cb-fix-here", ".cb-status .cb-news"].map((it) => document.querySelector(it));
    if (note && about) {
      note.textContent = value && ofFix(...caseOf(about), value);
      note.hidden = !note.textContent;
    }
    const report = byId("cb-unhelped");
    if (report) {
      const url = new URL(report.href);
      url.searchParams.set("body", `Page: ${location.pathname}\nTorch: ${value}\n\n`);
      report.href = url;
    }
  }

  // The choices: each release that ran on a device, the newest first.
  function fillSelect() {
    for (const [device, ran] of Object.entries(casebookTorch.ran)) {
      const group = element("optgroup");
      group.label = `on a ${device === "cpu" ? "CPU" : "GPU"}`;
      for (const release of [...ran].reverse()) {
        const option = element("option", `torch ${short(release)}${device === "cpu" ? "" : " GPU"}`);
        option.value = device === "cpu" ? release : `${release} ${device}`;
        group.append(option);
      }
      if (!ran.length) {
        const option = element("option", "no run yet");
        option.disabled = true;
        group.append(option);
      }
      select.append(group);
    }
  }

  if (select) {
    fillSelect();
    select.autocomplete = "off"; // else a browser restores what was chosen before
    select.value = kept("casebook-torch");
    if (select.selectedIndex < 0) select.value = "";
    select.addEventListener("change", () => {
      kept("casebook-torch", select.value);
      showTorch();
      for (const listener of listeners) listener();
    });
    showTorch();
  }

  // The index is large, so it is loaded once somebody wants to search.
  const script = (path) =>
    new Promise((resolve, reject) => {
      const made = element("script");
      made.src = root + path;
      made.onload = resolve;
      made.onerror = reject;
      document.head.append(made);
    });
  let loading;
  const load = () => {
    loading ||= Promise.all([
      script("assets/match.js"), script("assets/index.js"), script("match/data.js"),
    ]).then(() => script("assets/answers.js"));
    return loading;
  };

  // The search box
  const box = byId("cb-find");
  const pop = byId("cb-found-here");
  const count = byId("cb-found-count");
  const show = (open) => {
    pop.hidden = !open;
    box.setAttribute("aria-expanded", open);
  };
  const close = () => {
    show(false);
    count.textContent = "";
    box.removeAttribute("aria-activedescendant");
  };
  let asked = 0;
  async function find() {
    const text = box.value;
    const mine = (asked += 1);
    if (!text.trim()) return close();
    await load();
    if (mine !== asked) return;
    pop.replaceChildren(...casebookAnswers.brief(text));
    const found = pop.querySelectorAll("[role=option]").length;
    count.textContent = found ? `${found} answer${found === 1 ? "" : "s"}` : "nothing known";
    show(true);
  }
  box.addEventListener("focus", load, { once: true });
  box.addEventListener("input", find);
  box.addEventListener("paste", () => setTimeout(find));
  const options = () => [...pop.querySelectorAll("[role=option]")];
  const selected = () => pop.querySelector("[aria-selected=true]");
  function choose(option) {
    for (const it of options()) it.setAttribute("aria-selected", it === option);
    if (!option) return box.removeAttribute("aria-activedescendant");
    box.setAttribute("aria-activedescendant", option.id);
    return option.scrollIntoView({ block: "nearest" });
  }
  box.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const target = selected() || options()[0];
    if (!pop.hidden && target) location.href = target.querySelector("a").href;
    else find();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [undefined, ...options()];
    const step = event.key === "ArrowDown" ? 1 : stops.length - 1;
    choose(stops[(Math.max(stops.indexOf(selected() || undefined), 0) + step) % stops.length]);
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!box.form.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    box.focus();
  });

  // The pages of the area, in the place of a navigation that would stand in each page
  const beside = byId("cb-beside");
  if (beside) {
    script(`areas/${beside.dataset.area}/pages.js`).then(() => {
      const items = casebookArea.map(([name, title]) => {
        const link = element("a", ...withCode(title));
        link.href = `${root}catalog/${name}/index.html`;
        if (name === beside.dataset.case) link.setAttribute("aria-current", "page");
        return element("li", link);
      });
      beside.append(element("ul", ...items));
      document.querySelector(".md-sidebar--primary .md-sidebar__inner").append(beside);
      beside.hidden = false;
      const scroll = beside.closest(".md-sidebar__scrollwrap");
      const here = beside.querySelector("[aria-current]");
      if (here) scroll.scrollTop = here.offsetTop - scroll.clientHeight / 2;
    });
  }

  // What stands beside a page, folded on top of it where there is no room
  const contents = [...document.querySelectorAll(".md-nav--secondary .md-nav__link")];
  if (contents.length > 3 && matchMedia("(max-width: 59.9375em)").matches) {
    const links = contents.map((it) => {
      const link = element("a", it.textContent.trim());
      link.href = it.hash;
      return element("li", link);
    });
    const folded = element("details", element("summary", "On this page"), element("ul", ...links));
    document.querySelector(".md-typeset h1").after(folded);
  }

  // The address that no page has: an id in small letters, or one that torch may know
  const unknown = byId("cb-unknown");
  if (unknown) {
    const [, id] = /\/gb\/(gb\d{4})\b/i.exec(location.pathname) || [];
    const name = /\/([\w-]+)\/?(?:index\.html)?$/.exec(location.pathname)?.[1];
    if (id && id !== id.toUpperCase()) location.replace(`${root}gb/${id.toUpperCase()}/index.html`);
    if (id || name) {
      box.value = id || name.replace(/[_-]/g, " ");
      find();
    }
    if (id) {
      const link = element("a", "torch's own page");
      link.href = casebookTorch.registry.replace("{}", id.toLowerCase());
      unknown.append(`No release that we read has ${id}. If yours prints it, see `, link, ".");
      unknown.hidden = false;
    }
  }

  // Code scrolls by keyboard, and can be copied
  for (const block of document.querySelectorAll(".md-typeset .highlight")) {
    const code = block.querySelector("code");
    block.querySelector("pre").tabIndex = 0; // Material takes it from code where nothing hovers
    if (!navigator.clipboard) continue;
    const button = element("button", "Copy");
    button.type = "button";
    button.className = "cb-copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    block.append(button);
  }

  // Rows of cases: the signs of all releases would be half of a page that lists many
  for (const news of document.querySelectorAll(".cb-cases .cb-news")) {
    news.after(" ", signs(...caseOf(news)));
  }

  return {
    root,
    chosen,
    caseOf,
    unpacked,
    news,
    newsOf,
    nameIn: (link) => link.pathname.split("/").at(-2),
    ofFix: (kind, code, torch) =>
      releases.includes(torch.split(" ")[0]) ? ofFix(kind, code, torch) : ofUnrun(kind, code, torch),
    element,
    withCode,
    load,
    onTorch: (listener) => listeners.push(listener),
  };
})();
