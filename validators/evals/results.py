"""What came of attempts, one by one and in sum, as data."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from validators.evals.task import Set

Arm = Literal["with", "without"]
Outcome = Literal["solved", "failed", "unchanged", "hung", "flooded"]
ARMS: tuple[Arm, ...] = ("with", "without")
Interval = tuple[float, float]


class Attempt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of `evals/results`: who tried what under which arm, and what came of it.

    `pack` is the digest of the skills, "" in the arm without them. `tokens` is null if the agent
    told none. `opened` is what it opened of the skills as far as its output or transcript shows.
    """

    task: str
    set: Set
    skills: list[str]
    arm: Arm
    number: int
    agent: str
    torch: str
    pack: str = ""
    outcome: Outcome
    status: int
    seconds: float
    tokens: int | None = None
    opened: list[str] = []
    reasons: list[str] = []
    diff: str = ""


class Row(Struct, frozen=True, kw_only=True):
    """How many attempts of a set (or of all) were solved under an arm, and the seconds they took.

    `share_interval` is Wilson's 95 % interval. `seconds` is the median, and `seconds_interval` its
    95 % interval from a bootstrap.
    """

    set: Literal["seen", "unseen", "all"]
    arm: Arm
    solved: int
    tries: int
    share: float
    share_interval: Interval
    seconds: float
    seconds_interval: Interval


class Difference(Struct, frozen=True, kw_only=True):
    """How the share of solved attempts differs with the skills: the mean over tasks."""

    mean: float
    interval: Interval
    tasks: int


class Count(Struct, frozen=True):
    """How many of an arm's attempts were solved."""

    solved: int
    tries: int

    def __str__(self) -> str:
        return f"{self.solved}/{self.tries}"

    @property
    def share(self) -> float:
        """The part that was solved."""
        return self.solved / self.tries


class Effect(Struct, frozen=True, kw_only=True):
    """What the skills did for one task that both arms tried."""

    task: str
    given: Count = field(name="with")
    bare: Count = field(name="without")
    effect: Literal["gain", "none", "regression"]

    @property
    def difference(self) -> float:
        """The share solved with the skills less that without."""
        return self.given.share - self.bare.share


class Summary(Struct, frozen=True, kw_only=True):
    """What a file of results says of the newest text of the skills, which is the last of `packs`.

    `packs` are the digests of all texts that were tried, in the order of their last attempts. Those
    with an older text count nowhere; attempts without skills belong to every text. `tasks` begin
    with the worst.
    """

    packs: list[str]
    rows: list[Row]
    difference: Difference | None
    tasks: list[Effect]
