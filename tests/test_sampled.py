"""The slow tests that a run takes."""

from pathlib import PurePosixPath

import pytest

from tests.sampled import rooms, taken

FILES = [f"tests/validators/runner/test_{it}.py" for it in "abcd"] + ["tests/docsite/test_e.py"]


@pytest.mark.parametrize(
    ("changed", "room"),
    [
        ("validators/runner/plan.py", "tests/validators/runner"),
        ("site/docsite/status.py", "tests/docsite"),
        ("reference_models/gpt.py", "tests/reference_models"),
        ("tests/validators/cli/test_look.py", "tests/validators/cli/test_look.py"),
        ("README.md", "tests/README.md"),
    ],
)
def test_tests_mirror_what_changed(changed: str, room: str) -> None:
    """A file that has no tests leads nowhere."""
    assert rooms([changed]) == {PurePosixPath(room)}


def test_what_changed_is_taken_in_any_case() -> None:
    """By its room, or by the file itself; nothing else is without a sample."""
    assert taken(FILES, rooms(["site/docsite/status.py"]), 0, "x") == {FILES[4]}
    assert taken(FILES, rooms([FILES[1]]), 0, "x") == {FILES[1]}
    assert taken(FILES, rooms(["validators/runner/plan.py"]), 0, "x") == {*FILES[:4]}
    assert taken(FILES, set(), 0, "x") == set()


def test_seeds_take_all_in_turn() -> None:
    """The same seed takes the same, and no more than there are."""
    samples = [taken(FILES, set(), 2, str(seed)) for seed in range(30)]
    assert all(len(it) == 2 for it in samples)
    assert set().union(*samples) == {*FILES}
    assert taken(FILES, set(), 2, "7") == samples[7]
    assert taken(FILES, set(), 9, "7") == {*FILES}
