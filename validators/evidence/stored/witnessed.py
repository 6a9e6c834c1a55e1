"""What other witnesses saw of a case, beside its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

from validators.probes.modes import UNCOMPILED

TRAINING = "training"
"""The witness that runs the arms with inputs that require gradients, each call with a backward."""


@dataclass(frozen=True)
class Witnessed:
    """What other witnesses saw of a case.

    `witnesses` maps each of them to its verdict on the same arms. "uncompiled" ran them under
    `force_eager`; a backend's name means that they ran under that backend. "audit" made each graph
    break an error and says "agrees". "training" had each call followed by a backward pass.
    `differs` says how an arm's results differ from those of its uncompiled run.
    """

    witnesses: dict[str, str] = field(default_factory=dict)
    differs: dict[str, str] = field(default_factory=dict)

    def updated(self, new: Witnessed) -> Witnessed:
        """This with `new` verdicts on the same program; a new comparison replaces the old."""
        compared = new if UNCOMPILED in new.witnesses else self
        return Witnessed({**self.witnesses, **new.witnesses}, compared.differs)
