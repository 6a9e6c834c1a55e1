// Filters a list of messages by words of the message, an id, or the name of a case.
addEventListener("DOMContentLoaded", () => {
  const rows = [...document.querySelectorAll(".cb-messages tbody tr")];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  filterRows(rows, ({ text }, { row }) =>
    (text || "").toLowerCase().split(/\s+/).every((word) => texts.get(row).includes(word)),
  );
});
