"""What the trials of marks say of functions that compile again for sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.explaining.marks import (
    FIXED,
    STATIC,
    VARYING,
    ZERO_ONE,
    groups,
    marked,
)
from validators.diagnose.findings.finding import Explanation, Finding, Place
from validators.diagnose.findings.words import Found, place_of
from validators.diagnose.recording.events import foreign
from validators.probes.told import guard_of, user_frames

_CONSTANT = re.compile(
    r"You marked (?:L\[')?(?P<tensor>[^'\s]+)(?:'\])?\S*\.size\(\)\[(?P<dim>\d+)\] as dynamic "
    r"but your code specialized it to be a constant(?P<more>(?s:.*?))(?=\n  - |\Z)"
)
"""What torch says of a marked size; from 2.9 on with the line of code."""
_OF_SIZE = re.compile(r"\.size\(\)\[|size mismatch")
_FOR_A_SIZE = "for another size"
_IN_VAIN = "no mark that was tried saves a graph"
Constant = tuple[str, int, Place | None]
"""A tensor, its dim, and the line that makes the size a constant."""


def with_marks(
    findings: list[Finding], shapes: Sequence[Found], explainer: Explainer
) -> list[Finding]:
    """The findings with the dims that vary told where functions compile again for them.

    The fix is then the one that was tried. `shapes` are the parts that tried marks. If none saved a
    graph, a size is only suspected, unless the trial told another guard, or the line that makes the
    size a constant.
    """
    found = list(findings)
    for dims in [it for it in findings if it.kind == "dynamic_dim"]:
        cases = (dims.explanation.case, STATIC)
        sized = [it for it in found if it.kind == "recompile" and it.explanation.case in cases]
        again = sized or [it for it in found if it.explanation.family == FIXED]
        if not again:
            continue
        found.remove(dims)
        # A kind of argument is only suspected, and adds nothing.
        if dims.weight:
            cost = f"{again[0].cost}; {dims.what}: {dims.cost}"
            told = replace(again[0], cost=cost, explanation=_tried_for(again[0], dims))
            found = [told if it is again[0] else it for it in found]
    withheld = next((it["withheld"] for it in shapes if it.get("withheld")), "")
    if withheld:
        return [_untried(it, withheld) if _sized(it) else it for it in found]
    if not shapes:
        broke = any(it.kind == "graph_break" for it in found)
        return [_unsure(it) if broke and _sized(it) else it for it in found]
    saving = {it.explanation.case for it in findings if it.kind == "dynamic_dim"}
    found = [_tried_in_vain(it, shapes, explainer) if _in_vain(it, saving) else it for it in found]
    constants = [made for it in shapes for made in _constants(it)]
    return [_made_constant(it, constants) if constants and _unsaved(it) else it for it in found]


def _constants(found: Found) -> Iterator[Constant]:
    """The lines of code that torch names as those that make a marked size a constant."""
    for group in groups(found):
        for it in _CONSTANT.finditer(group["marks"].get("mark_dynamic", {}).get("message", "")):
            stack = user_frames(it["more"].partition("User stack:")[2], foreign)
            dim = int(it["dim"])
            # Torch's wrapper of a decorated function calls its arguments `args`.
            names = [name for name, one in group["names"] if one == dim]
            tensor = it["tensor"] if it["tensor"] in names else [*names, it["tensor"]][0]
            yield tensor, dim, place_of(**stack[0]) if stack else None


def _unsaved(finding: Finding) -> bool:
    """Whether a function compiles again for a size, and no mark that was tried helps."""
    return finding.kind == "recompile" and (
        _IN_VAIN in finding.cost or finding.explanation.family == FIXED
    )


def _made_constant(finding: Finding, constants: list[Constant]) -> Finding:
    """The finding at the line that makes a size a constant, as torch's refusal of a mark says."""
    said = dict.fromkeys(
        f"tried mark_dynamic: {at or 'a line that torch does not name'} makes dim {dim} of "
        f"{tensor} a constant"
        for tensor, dim, at in constants
    )
    places = [at for _, _, at in constants if at]
    stack = [it for it in (finding.place, *finding.stack) if it and it not in places]
    return replace(
        finding,
        explanation=Explanation("unknown", FIXED),
        place=places[0] if places else finding.place,
        stack=stack if places else finding.stack,
        tried=[*finding.tried, *said],
    )


def _tried_for(again: Finding, dims: Finding) -> Explanation:
    """What explains the mark's trial; `dynamic=False` stays the cause where that was asked for."""
    if again.explanation.family == FIXED:
        return again.explanation
    if again.explanation.case != STATIC:
        return dims.explanation
    return replace(again.explanation, fix=dims.explanation.fix, example=False)


def _in_vain(finding: Finding, saving: set[str]) -> bool:
    """Whether a recompile is said to come from a size, and marking the sizes saved nothing."""
    return _sized(finding) and finding.explanation.case not in saving


def _sized(finding: Finding) -> bool:
    """Whether a recompile is said to come from a size, and nothing else led to it."""
    case = finding.explanation.case
    return finding.kind == "recompile" and case in {VARYING, ZERO_ONE} and not finding.because


def _unsure(finding: Finding) -> Finding:
    """A finding about sizes whose mark nobody tried: it may not get past a graph break."""
    known = finding.explanation
    doubted = "suspected" if known.known == "explained" else known.known
    cost = f"{finding.cost}; the mark was not tried"
    return replace(finding, cost=cost, explanation=replace(known, known=doubted))


def _untried(finding: Finding, withheld: str) -> Finding:
    """A finding about sizes without the mark, which nobody could try: it may raise, too."""
    known = finding.explanation
    doubted = "suspected" if known.known == "explained" else known.known
    cost = f"{finding.cost}; no mark was tried, because {withheld}"
    return replace(finding, cost=cost, explanation=replace(known, known=doubted, fix=""))


def _tried_in_vain(finding: Finding, shapes: Sequence[Found], explainer: Explainer) -> Finding:
    """A finding about sizes that the best mark leaves; another mark may save graphs of 0 and 1."""
    known = finding.explanation
    for group, plain in ((group, it["graphs"]) for it in shapes for group in groups(it)):
        graphs = group["marks"].get("mark_unbacked", {"graphs": None})["graphs"]
        if known.case == ZERO_ONE and group["special"] and graphs is not None and graphs < plain:
            told = replace(known, fix=marked("mark_unbacked", group["names"]), example=False)
            cost = f"{finding.cost}; {plain} graphs as it is, {graphs} with mark_unbacked"
            return replace(finding, cost=cost, explanation=told)
    cost = f"{finding.cost}; {_IN_VAIN}"
    for mark, guard in (left for it in shapes for left in _left_guards(it)):
        said = guard_of([guard]).partition(" # ")[0]
        return replace(
            finding,
            what=finding.what.removesuffix(f" {_FOR_A_SIZE}"),
            cost=cost,
            explanation=explainer.of_text(f"    - {guard}", f"guard {said}"),
            tried=[*finding.tried, f"tried {mark}: compiles again for {said}"],
        )
    doubted = "suspected" if known.known == "explained" else known.known
    return replace(finding, cost=cost, explanation=replace(known, known=doubted, fix=""))


def _left_guards(found: Found) -> Iterator[tuple[str, str]]:
    """The guards that are on no size, for which code compiles again with all dims marked."""
    for widest in list(groups(found))[-1:]:
        for guard in widest["marks"].get(widest["mark"], {}).get("again", ()):
            if not _OF_SIZE.search(guard):
                yield widest["mark"], guard
