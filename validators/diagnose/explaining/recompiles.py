"""From functions that compile again to findings: for which size, guard or graph break."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.explaining.marks import FIXED, REGIONS, STATIC, of_size
from validators.diagnose.findings.finding import Explanation, Finding, Place
from validators.diagnose.findings.words import (
    CALLED,
    RESUMED,
    Found,
    often,
    place_of,
    short,
    told_at,
)
from validators.inspector.graphs.causes import (
    Kind,
    Size,
    cause_of,
    fixed_in,
    kind_of,
    nth_argument,
    reasons_in,
    size_in,
)
from validators.inspector.graphs.recompiles import without_values

_GIVEN = re.compile(r"args\[(?P<number>\d+)\](?P<part>.*)|kwargs\['(?P<name>\w+)'\]")
"""An argument of torch's function that calls a module."""
_WRAPPED = re.compile(r"- \S+ ___check_(?:type|obj)_id\(fn, (?s:.)*external_utils\.py")
"""The guard of torch's wrapper on the compiled object that it calls."""
_SHARED = "torch's wrapper `inner`, which several compiled objects share"
_NAME = re.compile(r"(?!_)[A-Za-z][\w.]*|.* argument")
"""The name of a tensor in the user's code, and not one that Dynamo made."""
_COMMENT = re.compile(r"  # (?P<code>.*?)\s*# (?P<file>\S+):(?P<line>\d+) in \S+")
"""What follows a guard: the line of code that asks for it, and its place."""
_LEFT = "___stack"
"""Begins the name that Dynamo gives to a value between two graphs."""
_IDENTITY = "___check_obj_id("
"""Begins a guard of which object something is; no graph break asks for it."""
_CALLERS = "several callers in one call"
_AGAIN = " compiles again"
_SAID: dict[Kind, str] = {
    "varies": "again for another size",
    "zero_one": "again for a size of 0 or 1",
    "": "again",
    "fixed": "again for every size",
}
"""What is said of each kind, in order: what is explained before what is not."""
Breaks = Mapping[tuple[str, int], Finding]


def of_recompiles(found: Found, explainer: Explainer, after: Breaks) -> Iterator[Finding]:
    """One finding for all functions that compile again for sizes of a kind; one each for others.

    A size that varies enters every function that gets the tensor: that is one cause. `after` has
    the graph breaks by the places that led to them.
    """
    by_kind: dict[Kind, list[Found]] = defaultdict(list)
    for it, kind in zip(found["recompiles"], _kinds(found["recompiles"]), strict=True):
        alike = it.get("same_call") or _broken_off(it, after)
        by_kind["" if alike else kind].append(it)
    for kind in (it for it in _SAID if it in by_kind):
        if kind in ("varies", "zero_one"):
            yield _of_sizes(kind, by_kind[kind], found, explainer)
        else:
            told = _by_function(by_kind[kind]) if kind == "fixed" else by_kind[kind]
            several = (_of_other(kind, it, found, explainer, after) for it in told)
            calls = found["rounds"] * found["calls"]
            yield from _across_functions([*_as_one(several, calls)], calls)


def _as_one(findings: Iterable[Finding], calls: int) -> Iterator[Finding]:
    """The findings that a reader could not tell apart as one, with the sum of their counts."""
    same: dict[object, list[Finding]] = defaultdict(list)
    for it in findings:
        known = it.explanation
        cause = (known.known, known.case or known.family)
        function = it.stack[0] if it.stack else it.place
        same[it.what, str(function), cause, it.because].append(it)
    for first, *others in same.values():
        yield _merged(first, others, calls) if others else first


def _across_functions(findings: Sequence[Finding], calls: int) -> Iterator[Finding]:
    """One finding for all functions that compile again for the same guard: that is one cause."""
    same: dict[object, list[Finding]] = defaultdict(list)
    for it in findings:
        guard = without_values(it.explanation.family)
        same[it.explanation.known, it.explanation.case, guard, it.because].append(it)
    for first, *others in same.values():
        if not others or not first.what.endswith(_AGAIN):
            yield from (first, *others)
            continue
        name = first.what.removesuffix(_AGAIN)
        more = f"{len(others)} other{'s' if others[1:] else ''}"
        stack = [*first.stack, *(it.place for it in others if it.place)]
        merged = _merged(first, others, calls)
        yield replace(merged, what=f"{name} and {more} compile again", stack=stack)


def _merged(first: Finding, others: Sequence[Finding], calls: int) -> Finding:
    """A finding with the counts and the texts of others."""
    every = [first, *others]
    count = sum(it.count for it in every)
    text = short("\n".join(it.text for it in every))
    return replace(first, count=count, cost=often(count, calls), text=text)


def _by_function(told: Sequence[Found]) -> list[Found]:
    """One recompile for each function: the first one of a fixed size looks like another kind."""
    found: dict[tuple[str, int], Found] = {}
    for it in told:
        known = found.setdefault((it["file"], it["line"]), {**it, "count": 0})
        text = max(known["text"], it["text"], key=len)
        known.update(count=known["count"] + it["count"], text=text)
    return list(found.values())


def _of_other(
    kind: Kind, told: Found, found: Found, explainer: Explainer, after: Breaks
) -> Finding:
    broken = _break_before(told, after) or _break_of_a_caller(told, after)
    cost = often(told["count"], found["rounds"] * found["calls"])
    size = _size_of(told) if kind == "fixed" else None
    place = told_at(told) if broken else _guarded_at(told)
    cause = "`dynamic=False`" if found.get("dynamic") is False else "its code"
    explanation = _of_guard(kind, told, found, explainer, broken)
    follows = broken.place if broken and explanation is broken.explanation else None
    fixed = f"; {cause} makes dim {size.dim} of {size.tensor} a constant" if size else ""
    return Finding(
        kind="recompile",
        what=f"{function_of(told)} compiles {_SAID[kind]}",
        cost=cost + fixed,
        explanation=explanation,
        count=told["count"],
        place=place,
        stack=[] if place.line == told["line"] else [told_at(told)],
        text=short(told["text"]),
        follows=follows,
        because=f"the graph break at {follows}" if follows else "",
    )


def _guarded_at(told: Found) -> Place:
    """The line of the function's file that the guard comes from, if torch tells it."""
    guard = _COMMENT.search(_cause_of(told).partition("\n")[0])
    # Torch keeps the end of a long path.
    if guard and told["file"].endswith(guard["file"].lstrip(".")):
        return place_of(told["file"], int(guard["line"]), guard["code"])
    return told_at(told)


def function_of(told: Found) -> str:
    """The name of a function that Dynamo compiled, as a user knows it."""
    resumed = RESUMED.match(told["function"])
    if not resumed:
        return str(told["function"])
    return f"{resumed['function']}, after its graph break in line {resumed['line']},"


def _kinds(recompiles: Sequence[Found]) -> list[Kind]:
    """What a size has to do with each recompile; one of a function may tell about another."""
    fixed: dict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
    for it in recompiles:
        fixed[it["file"], it["line"]] |= fixed_in(reasons_in(it["text"]))
    return [kind_of(reasons_in(it["text"]), fixed[it["file"], it["line"]]) for it in recompiles]


def _of_sizes(kind: Kind, told: list[Found], found: Found, explainer: Explainer) -> Finding:
    count = sum(it["count"] for it in told)
    others = len({(it["file"], it["line"]) for it in told}) - 1
    said = f" and {others} other{'s' if others > 1 else ''} compile" if others else " compiles"
    return Finding(
        kind="recompile",
        what=f"{function_of(told[0])}{said} {_SAID[kind]}",
        cost=often(count, found["rounds"] * found["calls"]),
        explanation=_of_kind(kind, told, found, explainer),
        count=count,
        place=told_at(told[0]),
        stack=[told_at(other) for other in told[1:]],
        text=short("\n".join(it["text"] for it in told)),
    )


def _of_kind(kind: Kind, told: list[Found], found: Found, explainer: Explainer) -> Explanation:
    """The case about a kind of size, whose fix names the user's own argument."""
    if kind == "varies" and len(found.get("regions", [])) > 1:
        # Marks on the model's arguments do not get through the eager code between.
        return explainer.of_case(REGIONS, "a size that varies", known=True)
    sizes = [size for it in told for size in _sizes_of(it)]
    return of_size(explainer, kind == "zero_one", _dims(kind, sizes, found))


def _dims(kind: Kind, sizes: list[Size], found: Found) -> list[tuple[str, int]]:
    """The arguments and dims to mark: those whose sizes differ between the calls.

    A recording does not tell the calls. Then the compiled functions' own names have to do.
    """
    special = kind == "zero_one"
    varying = []
    for it in found.get("varying", []):
        taken = {*it["sizes"]} - {None}
        if min(taken) < 2 if special else len(taken - {0, 1}) > 1:
            varying.append((it["name"], it["dim"]))
    return varying or [it.where for it in sizes if _NAME.fullmatch(it.tensor)][:1]


def _cause_of(told: Found) -> str:
    """The guard that made a function compile again."""
    return cause_of(reasons_in(told["text"]))


def _size_of(told: Found) -> Size | None:
    """The size that made a function compile again, as the guard names it; None for others."""
    return size_in(_cause_of(told))


def _sizes_of(told: Found) -> Iterator[Size]:
    """The size that made a function compile again; its argument as a caller knows it."""
    size = _size_of(told)
    given = _GIVEN.fullmatch(size.tensor) if size and CALLED in told["function"] else None
    if size and given:
        name = given["name"] or nth_argument(int(given["number"]), given["part"])
        yield replace(size, tensor=name)
    elif size:
        yield size


def _break_before(told: Found, after: Breaks) -> Finding | None:
    """The graph break after which a function resumes; None for another function."""
    resumed = RESUMED.match(told["function"])
    return after.get((told["file"], int(resumed["line"]))) if resumed else None


def _break_of_a_caller(told: Found, after: Breaks) -> Finding | None:
    """The graph break in a caller, without which the function would not be compiled by itself."""
    for it in told.get("callers", ()):
        there = [
            (line, found)
            for (file, line), found in after.items()
            if file == it["file"] and it["first"] <= line <= it["last"]
        ]
        # A break of the caller's own line goes before one in a function that it calls.
        own = (found for line, found in there if found.place and found.place.line == line)
        if found := next(own, there[0][1] if there else None):
            return found
    return None


def _broken_off(told: Found, after: Breaks) -> bool:
    """Whether the size is that of a value which the graph break left behind: no mark reaches it."""
    size = _size_of(told)
    return bool(size and size.tensor.startswith(_LEFT) and _break_before(told, after))


def _of_guard(
    kind: Kind, told: Found, found: Found, explainer: Explainer, broken: Finding | None
) -> Explanation:
    """What explains that a function compiles again: its guard, or the graph break that made it.

    If any graph broke, a function that is compiled apart from the target's own may be so for that.
    What its callers give it is then no argument of the user's.
    """
    argument = told.get("argument", "")
    if told.get("same_call") and argument not in ("", "self"):
        return broken.explanation if broken else Explanation("unknown", _CALLERS)
    if broken:
        given = argument == "self" or (argument and told["own"])
        by_guard = _said_of_guard(told, explainer) if given or _is_identity(told) else None
        return by_guard if by_guard and by_guard.known == "explained" else broken.explanation
    if kind == "fixed":
        static = found.get("dynamic") is False
        return explainer.of_case(STATIC, known=True) if static else Explanation("unknown", FIXED)
    if _WRAPPED.search(told["text"]):
        return Explanation("unknown", _SHARED)
    explanation = _said_of_guard(told, explainer)
    own = found.get("own")
    apart = own is not None and own != [told["file"], told["line"]] and found["breaks"]
    if explanation.known == "explained" and (apart or RESUMED.match(told["function"])):
        return replace(explanation, known="suspected")
    return explanation


def _is_identity(told: Found) -> bool:
    return bool(told["guard"].startswith(_IDENTITY))


def _said_of_guard(told: Found, explainer: Explainer) -> Explanation:
    """What the catalog says of the guard alone."""
    first = told["text"].partition("\n    - ")[0]
    return explainer.of_text(f"{first}\n    - {_cause_of(told)}", f"guard {told['guard']}")
