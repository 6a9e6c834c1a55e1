"""On which releases of torch a case is decided and how, in words: every room tells it so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from validators.catalog import Case
from validators.catalog.frontmatter import Kind
from validators.environment.column_name import release_order, spans
from validators.evidence.columns import Column, column
from validators.evidence.status import SHOWN, State, open_devices
from validators.evidence.words import IN_ORDER, effect_of

_SILENT = ("na", "undecided")
_DEVICES = {"cpu": "a CPU", "cuda": "a GPU"}


def ranges(case: Case, states: Mapping[str, State], releases: Iterable[str] = ()) -> str:
    """Such as "affects torch 2.8.0 to 2.12.1 (CPU); fixed since torch 2.13.0 (CPU)".

    "Fixed by" says that releases before this one have decided nothing since the last that shows it.

    Args:
        case: The case.
        states: Its state in each column.
        releases: What else was or may have been tried. No range spans a release that is unlike it.
    """
    kind = case.meta.kind
    ran, compiled = defaultdict[str, list[str]](list), dict[str, str]()
    for on, row in _rows(states, releases):
        said = defaultdict[str, list[str]](list)
        for key, places in _places(kind, row):
            said[effect_of(kind, key).words] += places
        if on.device != "compiled":
            for words, places in said.items():
                ran[words].append(f"{_listing(places)} ({on.on})")
        elif said:
            compiled[on.on] = ", ".join(_parts(kind, said))
    parts = [*_parts(kind, ran), *(f"{on}: provisionally {it}" for on, it in compiled.items())]
    parts += [f"undecided on {_DEVICES[device]}" for device in open_devices(case, states)]
    return "; ".join(parts)


def _parts(kind: Kind, said: Mapping[str, Sequence[str]]) -> list[str]:
    """Such as "affects torch 2.8.0 to 2.12.1": places by what is said of them, in order."""
    order = [effect_of(kind, key).words for key in IN_ORDER]
    return [f"{words} torch {_listing(said[words])}" for words in sorted(said, key=order.index)]


def before_or_after(states: Sequence[str], at: int) -> str:
    """What *refuted* at this place means for a limitation, given its state on each release.

    "fixed" if an earlier release shows it; "clear" if only later ones do, since a cause is known;
    else "refuted".
    """
    if any(it in SHOWN for it in states[:at]):
        return "fixed"
    return "clear" if any(it in SHOWN for it in states[at:]) else "refuted"


def _rows(
    states: Mapping[str, State], releases: Iterable[str]
) -> Iterator[tuple[Column, list[tuple[str, str]]]]:
    """The releases with their states, in order, for each accelerator; one of its columns is it."""
    columns = sorted(map(column, states), key=lambda it: (it.device != "cpu", it.name))
    every = {*releases, *(it.torch for it in columns)}
    ordered = sorted(every, key=lambda it: release_order(f"torch-{it}-cpu"))
    for on in {it.accelerator: it for it in columns}.values():
        names = {it: f"torch-{it}-{on.accelerator}" for it in ordered}
        yield on, [(it, states.get(name, "undecided")) for it, name in names.items()]


def _places(kind: Kind, row: list[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    """What is told of a row, and of which releases."""
    keys = _keys(kind, [state for _, state in row])
    names = [release for release, _ in row]
    for key in dict.fromkeys(keys):
        if key in _SILENT:
            continue
        chosen = [(name, it == key) for name, it in zip(names, keys, strict=True)]
        only_first = key in ("fixed since", "fixed by")
        yield key, [names[keys.index(key)]] if only_first else spans(chosen, least=3)


def keys_of(kind: Kind, states: Sequence[str]) -> list[str]:
    """The states of a case on each release; what *refuted* means is told apart of a limitation."""
    if kind != "limitation":
        return [*states]
    return [
        before_or_after(states, at) if state == "refuted" else state
        for at, state in enumerate(states)
    ]


def _keys(kind: Kind, states: list[str]) -> list[str]:
    """The same, with the last releases apart if all of them are fixed."""
    keys = keys_of(kind, states)
    tail = keys[max([at + 1 for at, it in enumerate(states) if it in SHOWN], default=0) :]
    start = tail.index("fixed") if "fixed" in tail else len(tail)
    fixed = tail[start:]
    if fixed and {*fixed} == {"fixed"}:
        keys[-len(fixed) :] = ["fixed by" if start else "fixed since"] * len(fixed)
    return keys


def _listing(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
