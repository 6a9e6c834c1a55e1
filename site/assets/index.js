// The site's data as the search reads it; `docsite.pages.packed` says how the rows are made.
const casebookIndex = ({ index, kinds, answers }) => ({
  answers: answers.map(([kind, code]) => [kinds[kind], code]),
  index: {
    ...index,
    pages: index.pages.flatMap(([kind, address, start, rows]) =>
      rows.map(([name, title, summary = "", fix = "", aliases = [], tenths = 10, steps = [], docs = ""]) => {
        const named = (text) => text.replace("{}", () => name);
        const href = named(address);
        return { name, kind, href, title: named(start) + title, summary, fix, aliases, tenths, steps, docs };
      }),
    ),
  },
});
