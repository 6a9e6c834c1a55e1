"""What `holds` should say, so that it agrees with every verdict that a program gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from validators.catalog import Case, Holds
from validators.catalog.frontmatter import Device
from validators.evidence.status import applies, device_of
from validators.evidence.stored.record import Record
from validators.versions import version_of

AGAINST = ("refuted", "remedy-failed", "unstable")
"""The verdicts that `holds` must not expect to be *confirmed*."""


class Seen(Struct, frozen=True, order=True):
    """Whether a release confirms a claim."""

    release: tuple[int, ...]
    confirms: bool


def agreeing_holds(case: Case, records: Iterable[Record]) -> list[Holds] | None:
    """The narrowest `holds` that agrees with the current records; None if people have to write it.

    A range begins with the first release that confirms the claim, and ends after the last. Where no
    release before or after it says otherwise, it is open. Devices share their ranges, unless they
    disagree on a release.
    """
    if any(item.python for item in case.meta.holds):
        return None
    kept = [*records]
    seen = {device: sorted({*_seen(case, device, kept)}) for device in case.meta.devices}
    every = sorted({it for of_device in seen.values() for it in of_device})
    alike = all(seen.values()) or not any(item.device for item in case.meta.holds)
    if alike and not _disagree(every):
        made = [Holds(torch) for torch in _bounds(every)]
    elif any(map(_disagree, seen.values())):
        return None
    else:
        made = [*_by_device(case, seen)]
    return ([] if made == [Holds()] else made) if made else None


def _by_device(case: Case, seen: Mapping[Device, Sequence[Seen]]) -> Iterator[Holds]:
    """The ranges of each device; one without records keeps what the page says of it."""
    for device, of_device in seen.items():
        own = [item.torch for item in case.meta.holds if item.device in ("", device)]
        if not of_device and not case.meta.holds:
            own = [""]
        for torch in _bounds(of_device) if of_device else own:
            yield Holds(torch, device)


def _disagree(seen: Sequence[Seen]) -> bool:
    """Whether one release both confirms the claim and does not."""
    return any(one.release == other.release for one, other in pairwise(seen))


def _seen(case: Case, device: Device, records: Sequence[Record]) -> Iterator[Seen]:
    """What each release of a device says; compiling confirms nothing, but it may refute."""
    for it in records:
        if it.fingerprint.device_type != device or not applies(case, it.column):
            continue
        release = version_of(version_of(it.fingerprint.torch).base_version).release
        if it.verdict in AGAINST:
            yield Seen(release, False)
        elif it.verdict == "confirmed" and device_of(it.column) != "compiled":
            yield Seen(release, True)


def _bounds(seen: Sequence[Seen]) -> Iterator[str]:
    """The ranges of the releases that confirm the claim."""
    runs = [[*run] for _, run in groupby(seen, key=lambda it: it.confirms)]
    for at, run in enumerate(runs):
        if run[0].confirms:
            lower = _lower(runs[at - 1][-1].release, run[0].release) if at else ""
            upper = _upper(run[-1].release, runs[at + 1][0].release) if runs[at + 1 :] else ""
            yield ",".join(filter(None, [lower, upper]))


def _lower(before: tuple[int, ...], first: tuple[int, ...]) -> str:
    return f">={_text(first if before[:2] == first[:2] else first[:2])}"


def _upper(last: tuple[int, ...], after: tuple[int, ...]) -> str:
    return f"<{_text(after if last[:2] == after[:2] else (last[0], last[1] + 1))}"


def _text(release: Iterable[int]) -> str:
    return ".".join(map(str, release))
