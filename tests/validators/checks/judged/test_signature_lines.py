"""What an example prints leads to its case, or the page says why not."""

from __future__ import annotations

from .conftest import FRAME, LINE


def test_a_line_that_leads_to_its_case(judged):
    """On each release that shows the trouble; what another run prints does not count."""
    judged.example("frame_skipped", FRAME)
    judged.example("frame_skipped", f"{FRAME} again", torch="2.9.1")
    judged.example("frame_skipped", f"{FRAME} no more", torch="2.5.1", verdict="refuted")
    judgement = judged.judge()
    assert judgement.problems == []
    assert judgement.judged["logs of examples"] == 2


def test_a_line_that_leads_to_another_case(judged):
    """It needs a signature that says more, or the other case is just as right."""
    judged.case("also", signatures=["the frame was skipped"], kind="practice")
    judged.example("also", FRAME)
    (found,) = judged.problems("also")
    assert found.startswith(
        "also.md:10: a line that a signature fits leads to frame_skipped first; write a signature"
    )
    judged.case(
        "also",
        signatures=["the frame was skipped"],
        kind="practice",
        alike={"frame_skipped": "it prints the same line"},
    )
    assert judged.problems("also") == []


def test_a_case_that_another_release_leads_away_from(judged):
    """Each release is judged."""
    judged.case("line_again", signatures=["torch: line 7"], kind="practice")
    judged.example("line_again", "torch: line 7 is late")
    assert judged.problems("line_again") == []
    judged.example("line_again", LINE, torch="2.9.1")
    (found,) = judged.problems("line_again")
    assert "leads to line_slow first" in found


def test_a_case_that_is_alike_without_need(judged):
    """A line that leads elsewhere no more, and an example that prints nothing."""
    alike = {"line_slow": "it prints the same line"}
    judged.case("frame_skipped", signatures=["the frame was skipped"], alike=alike)
    (found,) = judged.problems("frame_skipped")
    assert found.startswith("frame_skipped.md:12: `alike`: the example prints nothing; remove")
    judged.example("frame_skipped", FRAME)
    (found,) = judged.problems("frame_skipped")
    assert found.startswith("frame_skipped.md:12: `alike`: line_slow has no line of the example")


def test_signatures_are_of_lines_that_are_printed(judged):
    """Or the page says whose they are, but only then."""
    judged.example("frame_skipped", "torch: another line")
    (found,) = judged.problems("frame_skipped")
    assert "no signature fits a line of the example on any release" in found
    whose = "another library prints them"
    judged.case("frame_skipped", signatures=["the frame was skipped"], signatures_from=whose)
    assert judged.problems("frame_skipped") == []
    judged.example("frame_skipped", FRAME)
    (found,) = judged.problems("frame_skipped")
    assert found.startswith("frame_skipped.md:12: `signatures_from`: the example prints such a")


def test_a_case_that_is_not_named_at_all(judged):
    """Its signature fits what a logger writes in front of the message."""
    judged.case("in_front", signatures=[r"torch/x\.py:1\]"])
    judged.example("in_front", "W1122 00:41:00.1 7 torch/x.py:1] [0/1] zq")
    (found,) = judged.problems("in_front")
    assert "`match` does not name the case for what its example prints; write signatures" in found


def test_many_cases_that_come_first_by_words(judged):
    """Words may say more than a signature, but not those of many pages."""
    words = " ".join(f"zebra{letter}" for letter in "abcdefghijklmnopqrtuvwxyz")
    for number in range(7):
        judged.case(f"animal_{number}", summary=f"{words}.", fix=f"Call `{words}`.")
    for number in range(30):
        judged.case(f"other_{number}")
    judged.case("line_slow", signatures=[r"torch: line \d+ is slow"], kind="practice")
    judged.example("line_slow", f"{LINE}\ntorch: {words}")
    (found,) = judged.problems("line_slow")
    assert "7 cases come first by words alone, more than 6; write signatures" in found
