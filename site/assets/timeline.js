// Filters the events of the timeline, and hides groups and days that have no event left.
addEventListener("DOMContentLoaded", () => {
  const groups = [...document.querySelectorAll(".cb-timeline details")];
  const folded = new Map(groups.map((group) => [group, !group.open]));
  const around = document.querySelectorAll(".cb-timeline section");

  const events = [...document.querySelectorAll(".cb-timeline li")];
  for (const event of events) {
    event.dataset.relation = event.closest("details").dataset.relation;
    event.dataset.case = casebook.nameIn(event.querySelector("a"));
  }

  const titles = new Map(events.map((event) => [event.dataset.case, event.querySelector("a").textContent]));
  const byTitle = [...titles].sort(([, one], [, other]) => one.localeCompare(other, "en"));
  const cases = document.querySelector('select[name="case"]');
  for (const [name, title] of byTitle) cases.add(new Option(title, name));

  const isFound = (wanted, event) =>
    Object.entries(wanted).every(([name, value]) => !value || event[name] === value);

  const isEmpty = (part) => !part.querySelector("li:not([hidden])");

  function showGroups(wanted) {
    for (const part of [...around, ...groups]) part.hidden = isEmpty(part);
    const filtered = Object.values(wanted).some(Boolean);
    for (const group of groups) {
      const hidden = group.querySelectorAll("li[hidden]").length;
      const shown = group.querySelectorAll("li").length - hidden;
      group.open = filtered || !folded.get(group);
      group.querySelector("summary span").textContent = hidden ? `, ${shown} shown` : "";
    }
  }

  filterRows(events, isFound, showGroups);
});
