"""What a report does not hold without a GPU, and who reads it all the same.

Nothing is launched, so nobody counted replays or measured memory. Whatever reads such a thing gets
an exception: a zero would look like an answer. This module needs no torch.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NoReturn

from validators.pretended.invented import CLOCK, MEMORY, REPLAY, VALUE, Invented
from validators.probes.report import Call, Cudagraphs, Report

Refuse = Callable[[str, str], NoReturn]
"""Raises, given the kind of what is read and its name; `Invented.refuse` also keeps both."""
_COUNTS = ("recordings", "replays", "overwritten_outputs")


class Uncounted(int):
    """A number that nobody counted, -1 in JSON; reading it raises."""

    _asked: tuple[Refuse, str, str]

    def __new__(cls, refuse: Refuse, kind: str, what: str) -> Uncounted:
        """`what` names the number in a report."""
        it = super().__new__(cls, -1)
        it._asked = refuse, kind, what
        return it

    def __deepcopy__(self, _: object) -> Uncounted:
        """Itself, as for any number."""
        return self

    def _read(self, *_: object) -> NoReturn:
        refuse, kind, what = self._asked
        refuse(kind, what)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _read
    __hash__ = _read
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _read
    __int__ = __float__ = __index__ = __str__ = __format__ = _read


class Unmeasured(dict[str, Any]):
    """What nobody measured, nothing in JSON; reading any of it raises."""

    def __init__(self, *asked: Any) -> None:
        """`asked` are who refuses, the kind and the name; none in a copy that becomes JSON."""
        super().__init__()
        self._asked = asked

    def _read(self, *_: object) -> NoReturn:
        refuse: Refuse
        refuse, kind, what = self._asked
        refuse(kind, what)

    __getitem__ = __contains__ = __iter__ = __len__ = __bool__ = __eq__ = _read
    get = values = keys = _read  # `items` is left to what writes JSON
    __hash__ = None


def uncounted(skips: tuple[str, ...], refuse: Refuse) -> Cudagraphs:
    """What is known of CUDA graphs that nobody recorded: why they are skipped."""
    counts = {name: Uncounted(refuse, REPLAY, f"cudagraphs.{name}") for name in _COUNTS}
    return Cudagraphs(skips, **counts)


def hidden(report: Report) -> Report:
    """A report for `shows` that raises where it reads what only a GPU has."""
    refuse, graphs = Invented().refuse, report.cudagraphs
    return dataclasses.replace(
        report,
        calls=tuple(_call(it, refuse) for it in report.calls),
        cudagraphs=None if graphs is None else uncounted(graphs.skips, refuse),
        times=Unmeasured(refuse, CLOCK, "times"),
        memory=Unmeasured(refuse, MEMORY, "memory"),
    )


def _call(call: Call, refuse: Refuse) -> Call:
    if call.difference is None:
        return call
    names = [it.name for it in dataclasses.fields(call.difference)]
    values: dict[str, Any] = {it: Uncounted(refuse, VALUE, f"difference.{it}") for it in names}
    return dataclasses.replace(call, difference=dataclasses.replace(call.difference, **values))
