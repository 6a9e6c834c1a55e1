"""What a report does not hold without a GPU, and who reads it all the same.

Nothing is launched, so nobody counted replays or measured memory. Whatever reads such a thing gets
an exception: a zero would look like an answer. This module needs no torch.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NoReturn

from validators.pretended.invented import CLOCK, MEMORY, REPLAY, VALUE, NotObservable
from validators.probes.report import Call, Cudagraphs, Report

_COUNTS = ("recordings", "replays", "overwritten_outputs")


class Uncounted(int):
    """A number that nobody counted, -1 in JSON; reading it raises `NotObservable`."""

    _kind: str
    _what: str

    def __new__(cls, kind: str, what: str) -> Uncounted:
        """`what` names the number in a report."""
        it = super().__new__(cls, -1)
        it._kind, it._what = kind, what
        return it

    def __deepcopy__(self, _: object) -> Uncounted:
        """Itself, as for any number."""
        return self

    def _read(self, *_: object) -> NoReturn:
        refuse(self._kind, self._what)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _read
    __hash__ = _read
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _read
    __int__ = __float__ = __index__ = __str__ = __format__ = _read


class Unmeasured(dict[str, Any]):
    """What nobody measured; reading any of it raises `NotObservable`."""

    def __init__(self, kind: str = "", what: str = "", *_: object) -> None:
        super().__init__()
        self._kind, self._what = kind, what

    def _read(self, *_: object) -> NoReturn:
        refuse(self._kind, self._what)

    __getitem__ = __contains__ = __iter__ = __len__ = __eq__ = get = _read
    __hash__ = None


def refuse(kind: str, what: str) -> NoReturn:
    """Raise, since `what` in a report is unknown without a GPU."""
    raise NotObservable(f"there is no GPU to ask for this: {what} ({kind})")


def uncounted(skips: tuple[str, ...]) -> Cudagraphs:
    """What is known of CUDA graphs that nobody recorded: why they are skipped."""
    counts = {name: Uncounted(REPLAY, f"cudagraphs.{name}") for name in _COUNTS}
    return Cudagraphs(skips, **counts)


def hidden(report: Report) -> Report:
    """A report for `shows` that raises where it reads what only a GPU has."""
    graphs = report.cudagraphs
    return dataclasses.replace(
        report,
        calls=tuple(map(_call, report.calls)),
        cudagraphs=None if graphs is None else uncounted(graphs.skips),
        times=Unmeasured(CLOCK, "times"),
        memory=Unmeasured(MEMORY, "memory"),
    )


def _call(call: Call) -> Call:
    if call.difference is None:
        return call
    names = [it.name for it in dataclasses.fields(call.difference)]
    values: dict[str, Any] = {it: Uncounted(VALUE, f"difference.{it}") for it in names}
    return dataclasses.replace(call, difference=dataclasses.replace(call.difference, **values))
