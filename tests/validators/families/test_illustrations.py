"""Pages that show what prints a family."""

from __future__ import annotations

import pytest

from validators.catalog.page import InvalidPage
from validators.checks.written.illustrations import check_illustrations
from validators.evidence.stored.examples import example_digest
from validators.families import load_unreachable, vocabulary_of
from validators.families.torch_source.found import Found

BREAK = Found(key="GB0156", format="Unsupported method call")
SAME = Found(key="GB0157", format="Unsupported method call")
PAGE = """\
---
prints: [{prints}]
summary: Compiled code calls a method that Dynamo does not trace.
fix: Call `get` before the compiled function.{more}
---
# A method that Dynamo does not trace

Why.

## Example

```python title="before"
import torch

y = torch.compile(lambda x: x + 1)(torch.ones(2))
```

```python title="after"
import torch

y = torch.compile(lambda x: x + 2)(torch.ones(2))
```
"""
PRINTED = """\
[0/0] [__graph_breaks] Graph Break Reason: Unsupported method call
[0/0] [__graph_breaks]   Developer debug context: call_method get [] {}
[0/0] [__graph_breaks] please visit: https://meta-pytorch.github.io/gb/gb0156.html
"""


@pytest.fixture
def illustrated(world):
    """A world with two graph breaks of one message, and a function that writes a page."""
    world.record("graph_break", BREAK, SAME)
    folder = world.playbooks / "illustrations"
    folder.mkdir()

    def write(prints="GB0156", more="", text=PAGE, name="method_not_traced"):
        (folder / f"{name}.md").write_text(text.format(prints=prints, more=more))

    world.illustrate = write
    return world


def run(world, printed=PRINTED, **fields):
    """Record a run of the example as the page stands now."""
    (page,) = vocabulary_of(world.repository).illustrations
    world.example(page.name, printed, **fields)
    file = world.playbooks / "evidence" / "examples" / f"{page.name}.json"
    file.write_text(file.read_text().replace('"d"', f'"{example_digest(page)}"'))


def problems(world):
    """What the check says, without the places."""
    return [it.message for it in check_illustrations(world.repository)]


def test_an_illustration_causes_what_it_names(illustrated):
    """After the cases, with what it prints; not what only has the same words."""
    illustrated.illustrate()
    run(illustrated)
    found = vocabulary_of(illustrated.repository)
    assert {key: [it.how for it in those] for key, those in found.causes.items()} == {
        ("graph_break", "GB0156"): ["illustrated"]
    }
    (cause,) = found.causes["graph_break", "GB0156"]
    assert cause.releases == ("2.13.0",)
    assert cause.lines == ("Developer debug context: call_method get [] {}",)
    assert cause.case.text.strip().endswith("Why.")
    assert problems(illustrated) == []


def test_it_is_for_the_releases_that_print_it(illustrated):
    """And for later ones, unless it says for which."""
    illustrated.illustrate()
    assert (
        vocabulary_of(illustrated.repository).illustrations[0].meta.example_on.torch == ">=2.13.0"
    )
    illustrated.illustrate(more="\ntorch: '<2.15'")
    (page,) = vocabulary_of(illustrated.repository).illustrations
    assert page.meta.example_on.torch == "<2.15"


def test_a_break_that_is_not_printed_is_told(illustrated):
    """The same words under another id do not count, nor does a run without a verdict."""
    illustrated.illustrate("GB0156, GB0157")
    run(illustrated)
    said = "its example prints {} on no release; run it with `{}`, or name another"
    command = "python -m validators examples --record"
    assert problems(illustrated) == [said.format("GB0157", command)]
    run(illustrated, verdict="remedy-failed", reason="after shows it, too")
    found = problems(illustrated)
    assert "torch-2.13.0-cpu: remedy-failed: after shows it, too; mend the example" in found
    assert said.format("GB0156", command) in found


def test_a_defective_page_is_told(illustrated):
    """Among the problems of the repository; the others are read."""
    illustrated.illustrate()
    illustrated.illustrate("GB0001", name="unknown")
    illustrated.illustrate(text="no front matter", name="empty")
    illustrated.illustrate(name="Upper")
    repository = illustrated.repository
    assert [it.name for it in vocabulary_of(repository).illustrations] == ["method_not_traced"]
    folder = illustrated.playbooks / "illustrations"
    said = sorted(it.message for it in check_illustrations(repository) if it.path.parent == folder)
    assert said.pop().startswith("its example prints GB0156 on no release;")
    assert len(said) == 3
    assert said[1].startswith("`prints`: no recorded release has GB0001;")


def test_a_page_needs_an_example_and_a_name_of_its_own(illustrated):
    """A name that a case has would hide the case's runs."""
    illustrated.case("method_not_traced")
    illustrated.illustrate(text=PAGE.partition("## Example")[0])
    found = problems(illustrated)
    assert "has no example; write a block titled `before` and one titled `after`" in found
    assert "'method_not_traced' names a case already; choose another name" in found


def test_what_no_program_prints_has_a_reason(illustrated):
    """It must be the key of a family, of whatever kind, that nothing prints."""
    assert load_unreachable(illustrated.playbooks) == {}
    path = illustrated.playbooks / "illustrations" / "unreachable.yaml"
    illustrated.record("exception", Found(key="CantSplit", format="CantSplit"))
    lines = ("GB0157: Only an error of Dynamo gets there.", "CantSplit: It is caught.")
    path.write_text("\n".join((*lines, "GB0001: No.", "GB0156: No.")))
    illustrated.illustrate()
    run(illustrated)
    assert vocabulary_of(illustrated.repository).unreachable["GB0157"].startswith("Only")
    assert problems(illustrated) == [
        "GB0001 is not the key of a family; delete the line",
        "GB0156 is printed by a program of ours; delete the line",
    ]
    path.write_text("- GB0157\n")
    with pytest.raises(InvalidPage):
        load_unreachable(illustrated.playbooks)
    assert problems(illustrated) == ["is not a mapping; write `GB0001: why`"]
