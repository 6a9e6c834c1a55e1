"""Which edits of a proof call for another run, and which only for another judgement."""

from __future__ import annotations

import pytest

from validators.evidence.digests.parts import Parts, parts_of

PROOF = '''
import torch

MOST = 3
LAYERS = 2


def model():
    return torch.nn.Linear(LAYERS, LAYERS)


def bad(report):
    return report.ops > MOST


def symptom(device):
    return observe(model(), LAYERS)


def remedy(device):
    return observe(model(), LAYERS)


def shows(report):
    """Say it."""
    return bad(report) and len(report.graphs) == LAYERS
'''


@pytest.fixture
def parts(tmp_path):
    """The parts of a source."""

    def read(source: str) -> Parts:
        file = tmp_path / "one.py"
        file.write_text(source)
        return parts_of(file)

    return read


@pytest.mark.parametrize(
    ("old", "new", "arms", "judge"),
    [
        ("report.ops > MOST", "report.ops >= MOST", False, True),
        ("MOST = 3", "MOST = 4", False, True),
        ("len(report.graphs) ==", "len(report.graphs) >", False, True),
        ("LAYERS = 2", "LAYERS = 3", True, True),
        ("nn.Linear", "nn.Bilinear", True, False),
        ("def remedy(device):", "def remedy(device, more=1):", True, False),
        ("MOST = 3", "MOST = int('4')", True, True),
        ("import torch\n", "import torch\nimport math\n", True, False),
        ("Say it.", "Say so.", False, False),
        ("\n\n\ndef shows", "\n\n\n# why\ndef shows", False, False),
    ],
)
def test_an_edit_changes_the_part_that_uses_it(parts, old, new, arms, judge):
    """What both use is in both; what does more than define a name belongs to the arms."""
    assert old in PROOF
    before, after = parts(PROOF), parts(PROOF.replace(old, new))
    assert (before.arms != after.arms, before.judge != after.judge) == (arms, judge)


def test_each_part_names_the_attributes_that_it_reads(parts):
    """The definitions of `Report` that count for it."""
    found = parts(PROOF)
    assert found.arms.attributes == ["Linear", "nn"]
    assert found.judge.attributes == ["graphs", "ops"]


def test_a_helper_of_an_arm_that_judges_too_is_in_both(parts):
    """An arm may ask the predicate itself."""
    asking = PROOF.replace("observe(model(), LAYERS)", "bad(model())", 1)
    edited = asking.replace("report.ops >", "report.ops >=")
    assert parts(asking).arms != parts(edited).arms


@pytest.mark.parametrize("source", ["def shows(:", "", "x = 1\n"])
def test_what_is_no_proof_has_parts_all_the_same(parts, source):
    """A broken file is stale when it is edited, as any other."""
    assert parts(source).arms != parts(source + "y = 2\n").arms


def test_a_lost_proof_has_none(tmp_path):
    """Its records are stale."""
    found = parts_of(tmp_path / "none.py")
    assert (found.arms.hash, found.judge.hash) == ("", "")
