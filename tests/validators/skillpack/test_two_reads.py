"""From a log line to the fix, in two reads and few tokens."""

from __future__ import annotations

import pytest

from tests.validators.skillpack.conftest import PackWorld
from tests.validators.skillpack.small_pack import NAMES
from tests.world import page_with_example
from validators.evidence.stored.examples import SILENT
from validators.files import ROOT
from validators.skillpack import two_reads
from validators.skillpack.build import write_files
from validators.skillpack.two_reads import References, check_two_reads, phrases


def problems(world: PackWorld) -> list[str]:
    """What keeps an agent from a case."""
    repository, pack = world.read()
    skills = pack.skills
    return [it.message for skill in skills for it in check_two_reads(repository, pack, skill)]


def test_what_is_made_is_found(pack_world: PackWorld) -> None:
    """By the line that the example printed."""
    write_files(*pack_world.read())
    assert problems(pack_world) == []


def test_what_prints_nothing_is_found_by_its_title(pack_world: PackWorld) -> None:
    """In the line below the heading."""
    body = page_with_example("import torch\nthree(1)", "import torch\nthree(2)")
    body = body.replace("# T\n", "# Old weights stay in the copy\n")
    pack_world.case("three", body=body)
    pack_world.decide("three", "2.13.0", line=SILENT)
    write_files(*pack_world.read())
    assert problems(pack_world) == []


def test_a_line_that_no_heading_holds_is_a_problem(pack_world: PackWorld) -> None:
    """And so is a section without the fix, and one that costs too much to find."""
    write_files(*pack_world.read())
    file = pack_world.root / "skills" / NAMES[0] / "references" / "graph_breaks.md"
    text = file.read_text()
    file.write_text(text.replace("one 'x' broke", "it ended"))
    (found,) = problems(pack_world)
    assert "does not find one" in found
    file.write_text(text.replace("- Fix: Use `y`.", "- Fix: None."))
    assert any("the section of one lacks its fix" in found for found in problems(pack_world))


def test_what_costs_too_much_is_a_problem(
    pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens of the search and of the section count."""
    write_files(*pack_world.read())
    monkeypatch.setattr(two_reads, "MOST_TOKENS", 20)
    assert all("tokens, more than 20" in found for found in problems(pack_world))
    assert len(problems(pack_world)) == 3


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("torch._dynamo.exc.Unsupported: Failed to trace builtin operator", "print_in_forward"),
        ("Graph Break Reason: Data-dependent branching", "tensor_dependent_if_in_rotary"),
    ],
)
def test_an_agent_finds_ours(line: str, case: str) -> None:
    """Without Python, in the references of the skill for logs."""
    references = References(ROOT / "skills" / "torch-compile-known-limitations")
    reading = references.read_by_line(line)
    assert "- Fix: " in reading.sections[case]
    assert reading.cost(case) <= two_reads.MOST_TOKENS


def test_what_varies_is_not_searched_for() -> None:
    """Numbers, names in quotes and paths differ in the user's log."""
    line = "torch._dynamo.exc.Unsupported: cannot call the hook 'f' of /tmp/a/b.py in 12 frames"
    assert phrases(line)[0] == "cannot call the hook"


def test_a_sentence_in_quotes_and_a_long_name_are_searched_for() -> None:
    """Old releases print whole messages in quotes, or one name."""
    quoted = "torch._dynamo.exc.Unsupported: 'skip function isinstance in file torch/jit.py'"
    assert phrases(quoted)[0] == "'skip function isinstance in file"
    named = "torch._dynamo.exc.Unsupported: should_compile_partial_graph=False"
    assert phrases(named)[0] == "should_compile_partial_graph=False"
