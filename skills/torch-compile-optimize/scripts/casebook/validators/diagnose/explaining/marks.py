"""What marking a dim as dynamic does to a target, as a fix that names the user's own argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Explanation, Finding
from validators.diagnose.findings.words import Found, joined, numbered

VARYING = "automatic_dynamic_wastes_one_compile"
STATIC = "dynamic_false_compiles_every_size"
ZERO_ONE = "zero_one_specialization"
REGIONS = "marks_do_not_cross_eager_regions"
_UNBACKED = "unbacked_inputs_of_a_whole_model"
_NONE, _RANKS = "mask_in_some_calls", "number_of_dimensions_changes"
PLACES = {
    "mark_dynamic": "torch._dynamo.mark_dynamic",
    "maybe_mark_dynamic": "torch._dynamo.maybe_mark_dynamic",
    "mark_unbacked": "torch._dynamo.decorators.mark_unbacked",
}
"""Where torch has each mark."""
FIXED = "a size that the code makes a constant"
Dims = Sequence[tuple[str, int]]
"""Arguments and their dims."""


def of_size(explainer: Explainer, special: bool, dims: Dims, mark: str = "") -> Explanation:
    """The case about a size that varies, or about sizes of 0 and 1, with its fix for `dims`."""
    known = explainer.of_case(ZERO_ONE if special else VARYING, "a size that varies", known=True)
    usual = "mark_unbacked" if special else "mark_dynamic"
    return (
        replace(known, fix=marked(mark or usual, dims), example=False)
        if dims and known.case
        else known
    )


def marked(mark: str, dims: Dims) -> str:
    """The instruction to mark some dims."""
    calls = [mark_call(mark, name, dim, "`") for name, dim in dims]
    return f"Call {joined(calls)} before each call."


def mark_call(mark: str, name: str, dim: int, quote: str = "") -> str:
    """The call that marks a dim; which argument it takes is said beside it if that has no name."""
    words = " " in name and "[" not in name.partition(" ")[0]
    call = f"{quote}{PLACES[mark]}({'argument' if words else name}, {dim}){quote}"
    return f"{call} for {name}" if words else call


def of_shapes(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Dims that vary between calls, where a mark saves a graph, and arguments of several kinds."""
    for it in marked_best(found):
        mark, graphs = best_mark(it, found["graphs"])
        said = "".join(f", {told}" for told in _tried(it, found["graphs"]))
        yield Finding(
            kind="dynamic_dim",
            what=f"{dims_of(it)} {'varies' if len(it['names']) == 1 else 'vary'}",
            cost=f"{found['graphs']} graphs as it is{said}",
            explanation=_of_mark(mark, it, explainer),
            weight=float(found["graphs"] - graphs),
        )
    for it in found["changing"]:
        yield _changing(it, explainer)


def marked_best(found: Found) -> list[Found]:
    """The group of dims whose mark leaves the fewest graphs; none if no mark saves a graph.

    Each group was marked by itself, and all together: what is told was tried as it is told. Of
    equal ones, a mark that asks less of the code goes first, then the one with more dims.
    """
    plain = found["graphs"]

    def rank(group: Found) -> tuple[float, bool, int]:
        mark, graphs = best_mark(group, plain)
        return graphs, mark == "mark_unbacked", -len(group["names"])

    saving = [it for it in groups(found) if best_mark(it, plain)[1] < plain]
    return sorted(saving, key=rank)[:1]


def best_mark(group: Found, plain: int) -> tuple[str, float]:
    """The mark to use, and the graphs that are left of `plain` ones.

    Code with an unbacked size can ask less of it: it is for sizes that no other mark covers.
    """
    unbacked = group["marks"].get("mark_unbacked", group)["graphs"]
    graphs = float("inf") if group["graphs"] is None else group["graphs"]
    if unbacked is not None and unbacked < graphs and (group["special"] or graphs >= plain):
        return "mark_unbacked", unbacked
    return group["mark"], graphs


def _of_mark(mark: str, group: Found, explainer: Explainer) -> Explanation:
    if mark == "mark_unbacked" and not group["special"]:
        known = explainer.of_case(_UNBACKED, "a size that the code makes a constant")
        return (
            replace(known, fix=marked(mark, group["names"]), example=False) if known.case else known
        )
    return of_size(explainer, mark == "mark_unbacked", group["names"], mark)


def dims_of(group: Found) -> str:
    """The dims of a group in words."""
    return joined([f"dim {dim} of {name}" for name, dim in group["names"]])


def shape_lines(found: Found) -> Iterator[str]:
    """What each mark does to the dims that vary, and sizes of 0 and 1 to each."""
    if found["withheld"]:
        yield f"marks: not tried, because {found['withheld']}"
    if found.get("late"):
        yield "marks: not all were tried for lack of time; see --timeout"
    for it in groups(found):
        sizes = ", ".join(str(size) for size in it["sizes"] if size is not None)
        taken = f" ({sizes})" if it is not found["together"] else ""
        said = "; ".join(
            [f"{found['graphs']} graphs as it is", *_tried(it, found["graphs"]), *_corner(it)]
        )
        yield f"{dims_of(it)}{taken}: {said}"
    yield from (f"{_kinds_of(it)}; no mark was tried for that" for it in found["changing"])


def shape_rows(found: Found) -> Iterator[tuple[str, str, str, str, str]]:
    """The dims, a mark on them, the graphs it leaves, and what sizes of 0 and of 1 add."""
    for group in groups(found):
        yield dims_of(group), "none", str(found["graphs"]), *_added(group["marks"].get("", {}))
        for mark, trial in group["marks"].items():
            if mark:
                graphs = _raises(trial["raised"]) if trial["raised"] else str(trial["graphs"])
                if trial.get("eager"):
                    graphs = f"none in {numbered(trial['eager'])}"
                yield dims_of(group), mark, graphs, *_added(trial)


def groups(found: Found) -> Iterator[Found]:
    """The groups of dims that vary, then all of them together, if that was tried."""
    yield from found["varying"]
    if found["together"]:
        yield found["together"]


def _added(trial: Found) -> tuple[str, str]:
    """What sizes of 0 and of 1 add, such as "1 more", or what they raise; "" if nothing."""
    corner = {str(size): added for size, added in trial.get("corner", {}).items()}
    zero, one = (corner.get(size) for size in ("0", "1"))
    return _corner_cell(zero), _corner_cell(one)


def _corner_cell(added: str | int | None) -> str:
    if isinstance(added, str):
        return _raises(added)
    return f"{added} more" if added else ""


def _raises(error: str) -> str:
    """The type of an error that is told as "Type: message"."""
    return f"raises {error.partition(':')[0]}"


def _kinds_of(told: Found) -> str:
    """In which calls an argument is None, and how many dims it has in others."""
    dims = f"{joined([str(it) for it in told['dims']])} dims"
    several = len(told["dims"]) > 1
    if not told["without"]:
        return f"{told['name']} has {dims}"
    others = f"has {dims}" if several else "is a tensor"
    return f"{told['name']} is None in {numbered(told['without'])} and {others} in others"


def _tried(group: Found, plain: int | None) -> Iterator[str]:
    """What each mark does, of calls that need `plain` graphs without one."""
    for mark, told in group["marks"].items():
        if told["raised"]:
            yield f"{mark} {_raises(told['raised'])}"
        elif eager := told.get("eager"):
            yield f"with {mark}, no graph runs in {numbered(eager)}"
        elif mark:
            worse = ", which is worse" if plain and told["graphs"] > plain else ""
            yield f"{told['graphs']} with {mark}{worse}"


def _corner(group: Found) -> Iterator[str]:
    """What a size of 0 or 1 adds under each mark, and why eager mode refuses it."""
    for mark, told in group["marks"].items():
        for size, added in told["corner"].items():
            if added:
                more = _raises(added) if isinstance(added, str) else f"adds {added}"
                yield f"size {size} {more}{f' with {mark}' if mark else ''}"
    # The size, and the type of the exception.
    yield from (f"eager mode refuses {': '.join(it.split(': ')[:2])}" for it in group["refused"])


def _changing(told: Found, explainer: Explainer) -> Finding:
    name = told["name"]
    if told["without"]:
        known = explainer.of_case(_NONE, "an argument that is None in some calls")
        fix = f"Pass a tensor for `{name}` in every call."
    else:
        known = explainer.of_case(_RANKS, "a number of dims that changes")
        fix = f"Give `{name}` the same number of dims in every call."
    return Finding(
        kind="dynamic_dim",
        what=_kinds_of(told),
        cost="each kind gets a graph of its own",
        explanation=replace(known, fix=fix, example=False) if known.case else known,
    )
