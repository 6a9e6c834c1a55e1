"""What `families --json` prints."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from validators.families.causes import Cause, How
from validators.families.family import KINDS, Family, Kind, Said
from validators.families.headers import telling_signatures
from validators.families.recording import Recorded
from validators.families.vocabulary import Vocabulary, page_of


class CauseOutput(Struct, kw_only=True):
    """A case that causes what a family says.

    `how` says how that is known. `releases` are those on which its example prints the family, and
    `lines` what it prints there. `signatures` are those that do not fit every line of the family,
    `code` the patterns of the user's line.
    """

    case: str
    title: str
    fix: str
    how: How
    releases: tuple[str, ...]
    lines: tuple[str, ...]
    signatures: list[str]
    code: list[str]

    @classmethod
    def of(cls, cause: Cause, family: Family) -> CauseOutput:
        """The cause as output."""
        case = cause.case
        return cls(
            case=case.name,
            title=case.title,
            fix=case.fix,
            how=cause.how,
            releases=cause.releases,
            lines=cause.lines,
            signatures=telling_signatures(case, family),
            code=case.meta.code,
        )


class FamilyOutput(Struct, kw_only=True):
    """One family; `page` is torch's own page on it, "" if there is none.

    `releases` print it. The registry of `listed` has it although no code of theirs prints it.
    `said` is in torch's words, the newest release first. `same` are keys with the same message.
    `moved` are the ids that other releases print at the same places, with these releases.
    """

    kind: Kind
    key: str
    title: str
    page: str
    releases: tuple[str, ...]
    listed: tuple[str, ...]
    patterns: tuple[str, ...]
    said: tuple[Said, ...]
    same: tuple[str, ...]
    moved: dict[str, tuple[str, ...]]
    causes: list[CauseOutput]

    @classmethod
    def of(cls, family: Family, vocabulary: Vocabulary) -> FamilyOutput:
        """The family as output."""
        return cls(
            kind=family.kind,
            key=family.key,
            title=family.title,
            page=page_of(family),
            releases=family.releases,
            listed=family.listed,
            patterns=family.patterns,
            said=family.said,
            same=family.same,
            moved=dict(vocabulary.moved_from(family)),
            causes=[CauseOutput.of(it, family) for it in vocabulary.causes_of(family)],
        )


class KindOutput(Struct, kw_only=True):
    """How many families of a kind there are, how many have a case, and how many a release prints.

    `printed` counts for each recorded release.
    """

    kind: Kind
    families: int
    covered: int
    printed: dict[str, int]

    @classmethod
    def of_all(cls, families: Iterable[Family], vocabulary: Vocabulary) -> list[KindOutput]:
        """The totals of each kind."""
        families = list(families)
        return [
            cls._of(kind, [it for it in families if it.kind == kind], vocabulary) for kind in KINDS
        ]

    @classmethod
    def _of(cls, kind: Kind, families: list[Family], vocabulary: Vocabulary) -> KindOutput:
        return cls(
            kind=kind,
            families=len(families),
            covered=sum(bool(vocabulary.causes_of(it)) for it in families),
            printed={
                release: sum(release in it.releases for it in families)
                for release in vocabulary.releases
            },
        )


class RecordedOutput(Struct, kw_only=True):
    """What a release has of a kind.

    `new` are keys that were not recorded before, `gone` those that no recorded release has now.
    """

    release: str
    kind: Kind
    families: int
    new: tuple[str, ...]
    gone: tuple[str, ...]

    @classmethod
    def of(cls, it: Recorded) -> RecordedOutput:
        """The change as output."""
        return cls(release=it.release, kind=it.kind, families=it.known, new=it.new, gone=it.gone)


class FamiliesOutput(Struct, kw_only=True):
    """`families --json`: the families that were asked for, with the totals of their kinds.

    `read` says what the interpreters of `--python` have.
    """

    releases: tuple[str, ...]
    kinds: list[KindOutput]
    families: list[FamilyOutput]
    read: list[RecordedOutput]
