"""Find what can be patched in a target, and verify each change: by itself, then all together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Verification
from validators.diagnose.findings.words import place_of
from validators.diagnose.fix.judging import better, only_about_compiling
from validators.diagnose.fix.verify import Reference, compared, health_of, part_of, referred
from validators.diagnose.masking.mask import masked
from validators.diagnose.parts import of_latency, of_results
from validators.diagnose.run import Plan, diagnosed_by
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import Spec
from validators.environment import Environment
from validators.errors import CasebookError
from validators.patch.advice import advised
from validators.patch.editing.changes import Change, Left, diff, texts
from validators.patch.overlay import overlaid
from validators.patch.proposals import proposed, sources_of
from validators.patch.results import LeftAlone, Offered, Patch

PARTS = ("static", "breaks", "shapes")
"""The parts of a diagnosis that changes and advice follow from."""


@dataclass
class Proof:
    """A change, and what `verify-fix` says of it."""

    change: Change
    better: list[str]
    refused: list[str]


class Verifier:
    """Verifies changes of one target, in copies of its folder."""

    def __init__(self, asking: Asking, spec: Spec, explainer: Explainer) -> None:
        self.asking, self.spec, self.explainer = asking, spec, explainer
        self._known: dict[tuple[int, ...], Reference] = {}

    async def verify(self, before: Sequence[Change], after: Sequence[Change]) -> Verification:
        """Whether the target with the changes `after` is a fix of the one with `before`.

        Raises:
            CasebookError: one of the two cannot be used.
        """
        reference = await self._reference(before)
        with overlaid(self.spec, texts(after)) as copy, _unnamed(copy):
            found: Verification = await compared(self.asking, reference, copy)
            return masked(found, Path(copy.paths[0]))  # type: ignore[no-any-return]

    async def verify_calls(self, base: Sequence[Change], change: Change) -> Verdict:
        """What the target's own calls become better at with a change of them, and why it is none.

        Raises:
            CasebookError: the target cannot be used.
        """
        was = health_of(await self._measured("breaks", base))
        now = health_of(await self._measured("breaks", [*base, change]))
        better = [
            f"{name}: {getattr(now, name)}, were {getattr(was, name)}"
            for name in ("graphs", "recompiles")
            if getattr(now, name) < getattr(was, name)
        ]
        refused = [f"compiled, it raises {now.raised}"] if now.raised else []
        refused += [] if now.breaks <= was.breaks else [f"it has more breaks: {now.breaks}"]
        if not better:
            refused.append("nothing compiles better than before")
        if refused:
            return better, refused
        found = await self._measured("results", [*base, change])
        return better, [it.what for it in of_results(found, self.explainer)]

    async def verify_regions(self, base: Sequence[Change], change: Change) -> Verdict:
        """How many ops are traced with the blocks compiled one by one, and why that is no fix.

        Raises:
            CasebookError: the target cannot be used.
        """
        whole = await self._measured("whole", base)
        found = await self._measured("latency", base)
        ops = (whole["first"] or {}).get("ops", 0)
        found["whole"] = whole["first"] and {**whole["first"], "raised": whole["raised"]}
        if found["regional"] is None:
            return [], ["the target repeats no block"]
        if found["regional"]["raised"]:
            return [], [f"compiled, it raises {found['regional']['raised']['type']}"]
        now = found["regional"]["ops"]
        findings = of_latency(found, self.explainer)
        refused = [it.what for it in findings if it.kind == "wrong_results"]
        if now * 2 > ops:
            refused.append(f"it traces {now} ops, and {ops} as it is")
        return [f"traced ops: {now}, were {ops}"], refused

    async def breaks_left(self, changes: Sequence[Change]) -> list[str]:
        """The lines that break the graph of the target with these changes, with torch's words."""
        with overlaid(self.spec, texts(changes)) as copy, _unnamed(copy):
            try:
                found = await part_of(self.asking, copy, "breaks", "")
            except CasebookError:
                return []
            places = [(place_of(**it["places"][0]), it["type"]) for it in found["breaks"]]
            return [f"`{place.code}` ({kind})" for place, kind in places if place.code]

    async def _measured(self, part: str, changes: Sequence[Change]) -> dict[str, Any]:
        """What a part of a diagnosis measures of the target with these changes."""
        with overlaid(self.spec, texts(changes)) as copy, _unnamed(copy):
            return await part_of(self.asking, copy, part, "")

    async def _reference(self, changes: Sequence[Change]) -> Reference:
        """What the target with these changes does; measured once."""
        key = tuple(map(id, changes))
        if key not in self._known:
            with overlaid(self.spec, texts(changes)) as copy, _unnamed(copy):
                self._known[key] = await referred(self.asking, copy)
        return self._known[key]


@contextlib.contextmanager
def _unnamed(copy: Spec) -> Iterator[None]:
    """Mask the folder of a copy in the errors that are raised."""
    try:
        yield
    except CasebookError as error:
        raise CasebookError(masked(str(error), Path(copy.paths[0]))) from None


Listener = Callable[[str], None]
Verdict = tuple[list[str], list[str]]
"""What a change improves, and why it is refused."""


def patched(
    plan: Plan, env: Environment, explainer: Explainer, rules: Sequence[str], tell: Listener
) -> tuple[Patch, list[Change]]:
    """What can be patched in a target, and the changes that `verify-fix` accepts.

    `plan` says how to diagnose and how to verify; `tell` hears of each step.

    Raises:
        CasebookError: the target cannot be used.
    """
    spec = plan.spec
    with Session(env, plan.options, plan.timeout) as session:
        diagnosis = diagnosed_by(session, plan, env, explainer, lambda it: tell(f"diagnose, {it}"))
        sources = sources_of(diagnosis, spec)
        changes, left = proposed(diagnosis, spec, sources, rules)
        proofs, together = session.ask(
            lambda asking: _proved(Verifier(asking, spec, explainer), changes, tell)
        )
    accepted = _accepted(proofs)
    failed = [it.failure for it in diagnosis.parts if it.name == "breaks"]
    folder = spec.root
    found = Patch(
        target=diagnosis.target,
        torch=diagnosis.torch,
        changes=[_offered(it) for it in proofs],
        left=[_left(it) for it in left],
        advice=advised(diagnosis, sources, spec),
        together=together,
        diff="",
        written=[],
        failure=next(iter(failed), ""),
    )
    without_names: Patch = masked(found, folder)
    without_names.diff = diff(accepted, folder)
    return without_names, accepted


async def _proved(
    verifier: Verifier, changes: Sequence[Change], tell: Listener
) -> tuple[list[Proof], Verification | None]:
    """The proof of each change, and of all that are accepted together.

    What `verify-fix` does not see is verified last, after the changes that it accepts.
    """
    proofs = await _each(verifier, [it for it in changes if it.proof == "fix"], tell)
    together = await _together(verifier, proofs, tell)
    for it in changes:
        if it.proof != "fix":
            proofs.append(await _otherwise(verifier, _accepted(proofs), it))
            tell(_said(proofs[-1]))
    return sorted(proofs, key=lambda it: (it.change.source.file, it.change.line)), together


async def _otherwise(verifier: Verifier, base: list[Change], change: Change) -> Proof:
    """The proof of a change of the calls, or of how blocks compile."""
    if over := next(filter(change.overlaps, base), None):
        said = f"it overlaps the change at line {over.line}; run patch again after --write"
        return Proof(change, [], [said])
    verify = verifier.verify_calls if change.proof == "calls" else verifier.verify_regions
    try:
        return Proof(change, *await verify(base, change))
    except CasebookError as error:
        return Proof(change, [], [f"with the change, {error}"])


async def _each(verifier: Verifier, changes: Sequence[Change], tell: Listener) -> list[Proof]:
    """Each change verified by itself; those that help only after others, on top of these."""
    proofs: list[Proof] = []
    for it in changes:
        over = next((p.change for p in proofs if it.overlaps(p.change) and not p.refused), None)
        if over:
            refused = [f"it overlaps the change at line {over.line}; run patch again after --write"]
            proofs.append(Proof(it, [], refused))
        else:
            proofs.append(await _proof(verifier, [], it))
        tell(_said(proofs[-1]))
    for proof in proofs:
        base = _accepted(proofs)
        if base and _may_help(proof, base):
            again = await _proof(verifier, base, proof.change)
            if not again.refused:
                proof.better = [f"after the other changes, {said}" for said in again.better]
                proof.refused = []
                tell(_said(proof))
    await _as_a_set(verifier, proofs, tell)
    return proofs


def _may_help(proof: Proof, base: Sequence[Change]) -> bool:
    """Whether a change that is refused may help together with others."""
    alone = only_about_compiling(proof.refused)
    return alone and not any(map(proof.change.overlaps, base))


async def _as_a_set(verifier: Verifier, proofs: Sequence[Proof], tell: Listener) -> None:
    """Accept changes that help only together; what the set does not need stays refused.

    Dynamo skips a whole function for one line, so that each line hides the others.
    """
    base = _accepted(proofs)
    chosen: list[Proof] = []
    for proof in proofs:
        if _may_help(proof, [*base, *(it.change for it in chosen)]):
            chosen.append(proof)
    if not chosen:
        return
    found = await _of_set(verifier, base, chosen) if chosen[1:] else None
    if found is None or found.refused:
        hiding = await verifier.breaks_left([*base, *(it.change for it in chosen)])
        for proof in chosen if hiding else ():
            proof.refused.append(
                f"with all changes together, the graph still breaks at {hiding[0]}"
            )
        return
    for proof in list(chosen):
        others = [it for it in chosen if it is not proof]
        less = await _of_set(verifier, base, others) if others[1:] else None
        if less and not less.refused and not better(less.after, found.after):
            chosen.remove(proof)
    for proof in chosen:
        lines = ", ".join(str(it.change.line) for it in chosen if it is not proof)
        proof.better = [f"together with the changes at {lines}, {said}" for said in found.better]
        proof.refused = []
        tell(_said(proof))


async def _of_set(
    verifier: Verifier, base: list[Change], chosen: Sequence[Proof]
) -> Verification | None:
    try:
        return await verifier.verify(base, [*base, *(it.change for it in chosen)])
    except CasebookError:
        return None


async def _proof(verifier: Verifier, base: list[Change], change: Change) -> Proof:
    try:
        found = await verifier.verify(base, [*base, change])
    except CasebookError as error:
        return Proof(change, [], [f"with the change, {error}"])
    return Proof(change, found.better, found.refused)


async def _together(verifier: Verifier, proofs: list[Proof], tell: Listener) -> Verification | None:
    """All accepted changes at once; one that the others refuse is refused."""
    accepted = _accepted(proofs)
    if not accepted:
        return None
    found = await _tried(verifier, accepted)
    if isinstance(found, Verification) and not found.refused:
        return found
    kept: list[Change] = []
    last: Verification | None = None
    for proof in proofs:
        if proof.refused:
            continue
        found = await _tried(verifier, [*kept, proof.change])
        if isinstance(found, Verification) and not found.refused:
            kept.append(proof.change)
            last = found
            continue
        reasons = found.refused if isinstance(found, Verification) else [found]
        proof.refused = [f"together with other changes, {it}" for it in reasons]
        tell(_said(proof))
    return last


async def _tried(verifier: Verifier, changes: list[Change]) -> Verification | str:
    try:
        return await verifier.verify([], changes)
    except CasebookError as error:
        return str(error)


def _accepted(proofs: Sequence[Proof]) -> list[Change]:
    return [it.change for it in proofs if not it.refused]


def _offered(proof: Proof) -> Offered:
    it = proof.change
    place = place_of(str(it.source.file), it.line)
    return Offered(
        rule=it.rule,
        case=it.case,
        place=place,
        what=it.what,
        better=proof.better,
        refused=proof.refused,
    )


def _left(it: Left) -> LeftAlone:
    return LeftAlone(rule=it.rule, place=place_of(str(it.file), it.line), reason=it.reason)


def _said(proof: Proof) -> str:
    it = proof.change
    ended = "refused" if proof.refused else "verified"
    return f"{it.source.file.name}:{it.line}: {it.rule}: {ended}"
