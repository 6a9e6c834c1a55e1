"""In which order changes are verified, and which are offered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import libcst as cst
import pytest

from validators.diagnose.findings.finding import Health, Verification
from validators.errors import CasebookError
from validators.patch.editing.changes import Change, diff
from validators.patch.editing.source import parsed
from validators.patch.run import _accepted, _each, _together

CODE = "a = 1\nb = 2\nc = 3"
HEALTH = Health(1, 0, 0, 0, 1.0, "")
NOTHING = "it compiles nothing"
ALONE = "nothing compiles better than before"


def change(source, number: int) -> Change:
    """A change of one line."""
    line = source.module.body[number]
    after = cst.parse_statement(f"{source.code(line).split()[0]} = 9")
    return Change("branches", "a_case", source, number + 1, "nine", {line: after})


class Judge:
    """Says of each set of lines why it is refused, as it is told, and records what it is asked."""

    def __init__(self, refused: dict[tuple[int, ...], str]) -> None:
        self.refused, self.asked = refused, []

    async def verify(self, before, after) -> Verification:
        """Refuse what `refused` names."""
        lines = tuple(it.line for it in after)
        self.asked.append((tuple(it.line for it in before), lines))
        reason = self.refused.get(lines, "")
        if reason == "raise":
            raise CasebookError("it cannot be used")
        refused = [reason] if reason else []
        return Verification(
            before=HEALTH,
            after=replace(HEALTH, breaks=3 - len(lines)),
            calls=1,
            made_up=0,
            better=["better"],
            refused=refused,
        )

    async def breaks_left(self, changes) -> list[str]:
        """Say what is left of three lines."""
        return [f"`line {n}`" for n in (1, 2, 3) if n not in {it.line for it in changes}]


@pytest.fixture
def source():
    """A file with three lines."""
    return parsed(Path("model.py"), CODE.encode())


@pytest.mark.parametrize(
    ("refused", "kept", "reason"),
    [
        ({}, [1, 2, 3], ""),
        ({(2,): "it computes something else"}, [1, 3], "it computes something else"),
        ({(2,): "raise"}, [1, 3], "with the change, it cannot be used"),
        ({(2,): ALONE}, [1, 2, 3], ""),
        ({(2,): "it stopped compiling: 9% of the ops run compiled"}, [1, 2, 3], ""),
        ({(1,): ALONE, (2,): ALONE, (3,): ALONE}, [1, 2, 3], ""),
        ({(1,): NOTHING, (2,): NOTHING, (3,): "it raises"}, [1, 2], "it raises"),
        ({(1, 2, 3): "bad", (1, 2): "bad"}, [1, 3], "together with other changes, bad"),
    ],
)
def test_only_what_is_verified_alone_and_together_is_offered(source, refused, kept, reason):
    """A change that helps only after others is offered, too."""
    judge = Judge(refused)
    proofs = asyncio.run(_each(judge, [change(source, it) for it in range(3)], lambda _: None))
    together = asyncio.run(_together(judge, proofs, lambda _: None))
    assert [it.line for it in _accepted(proofs)] == kept
    assert together is not None and not together.refused
    assert judge.asked[:3] == [((), (1,)), ((), (2,)), ((), (3,))]
    assert judge.asked[-1] == ((), tuple(kept))
    assert [it.refused for it in proofs if it.refused] == ([[reason]] if reason else [])


def judged(source, refused, count=3):
    """The proofs of changes of the first lines."""
    changes = [change(source, it) for it in range(count)]
    return asyncio.run(_each(Judge(refused), changes, lambda _: None))


def test_what_a_set_does_not_need_is_left(source):
    """It makes nothing better than the others do."""

    class Fair(Judge):
        async def verify(self, before, after) -> Verification:
            found = await super().verify(before, after)
            return replace(found, after=HEALTH)

    alone = {(1,): NOTHING, (2,): NOTHING, (3,): NOTHING, (1, 3): NOTHING, (1, 2): NOTHING}
    changes = [change(source, it) for it in range(3)]
    proofs = asyncio.run(_each(Fair(alone), changes, lambda _: None))
    assert [it.line for it in _accepted(proofs)] == [2, 3]
    assert proofs[0].refused == [NOTHING]
    assert proofs[1].better == ["together with the changes at 3, better"]


def test_the_line_that_hides_the_others_is_named(source):
    """No rule changes it, so that no set helps."""
    refused = {(1,): NOTHING, (2,): NOTHING, (1, 2): NOTHING}
    for proof in judged(source, refused, 2):
        assert proof.refused == [
            NOTHING,
            "with all changes together, the graph still breaks at `line 3`",
        ]


def test_one_line_has_one_change(source):
    """The second rule that changes it waits until the first is written."""
    judge = Judge({})
    changes = [change(source, 0), change(source, 0)]
    proofs = asyncio.run(_each(judge, changes, lambda _: None))
    assert [it.refused for it in proofs][1] == [
        "it overlaps the change at line 1; run patch again after --write"
    ]
    assert len(judge.asked) == 1


def test_a_diff_can_be_applied(source):
    """Names are relative, and a missing newline is told."""
    source = parsed(Path("/user/pack/model.py"), CODE.encode())
    assert diff([change(source, 2)], Path("/user")) == (
        "--- a/pack/model.py\n+++ b/pack/model.py\n@@ -1,3 +1,3 @@\n a = 1\n b = 2\n"
        "-c = 3\n\\ No newline at end of file\n+c = 9\n\\ No newline at end of file\n"
    )


def test_a_form_feed_ends_no_line_of_a_diff(source):
    """`patch` would not know such a line."""
    code = "a = 1\n\x0c\nb = 2\n"
    source = parsed(Path("/user/model.py"), code.encode())
    told = diff([change(source, 0)], Path("/user"))
    assert told.endswith("@@ -1,3 +1,3 @@\n-a = 1\n+a = 9\n \x0c\n b = 2\n")


@pytest.mark.parametrize("content", [b"# \xe9\na = 1\n", b"\x0ca = 1\n"])
def test_a_file_that_cannot_be_kept_byte_by_byte_is_left(content):
    """Python does not read the first, and libcst drops a form feed before code."""
    assert parsed(Path("model.py"), content) is None


def test_other_encodings_and_line_ends_survive():
    """What no change touches stays as it is, byte by byte."""
    from validators.patch.editing.changes import texts

    content = "# coding: latin-1\r\na = 'é'\r\nb = 2\r\n".encode("latin-1")
    source = parsed(Path("model.py"), content)
    after = texts([change(source, 1)])[Path("model.py")]
    assert after == content.replace(b"b = 2", b"b = 9")
