"""Each rule for a SKILL.md finds what breaks it, and only that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.validators.skillpack.conftest import SKILL, PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.catalog.page import split_page
from validators.errors import CasebookError
from validators.skillpack import lint
from validators.skillpack import tokens as counting
from validators.skillpack.lint import check_skill_files
from validators.skillpack.statements import statements
from validators.skillpack.tokens import tokens


def problems(world: PackWorld) -> list[str]:
    """What is wrong, without places."""
    return [it.message for it in check_skill_files(*world.read())]


def test_a_good_skill_has_no_problem(pack_world: PackWorld) -> None:
    """As the fixture writes it."""
    assert problems(pack_world) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SKILL.replace("Use when", "It"), "does not begin with 'Use when '"),
        (SKILL + "\n`.item()` breaks the graph.\n", "'`.item()` breaks the graph.'... says"),
        (SKILL + "\n- a\n- Dynamo unrolls it\n", "'Dynamo unrolls it'... says"),
        (SKILL + "\n| A | B |\n|-|-|\n| x | `torch.cat` |\n", "'x | `torch.cat`'... says"),
        (SKILL + "\n| A |\n|-|\n| `torch.new(x)` `case:one` |\n", "the cited cases runs `new`"),
        (SKILL + "\nRead `references/old.md`.\n", "names references/old.md, which does not"),
        (SKILL + "\n```bash\npython scripts/old.py\n```\n", "names scripts/old.py, which"),
        (SKILL + "\nRun `../other/scripts/old.py`.\n", "names ../other/scripts/old.py, which"),
        (SKILL + "\nOn torch 2.13 (`case:one`).\n", "names torch 2.13; leave releases to"),
        (SKILL + "x\n" * 120, "lines, more than 120"),
        (SKILL + "word " * 1800, "tokens, more than 1800"),
    ],
)
def test_what_breaks_a_rule(pack_world: PackWorld, text: str, message: str) -> None:
    """One problem, which says what to do."""
    pack_world.skill(NAMES[0], text)
    (found,) = problems(pack_world)
    assert message in found


@pytest.mark.parametrize(
    "text",
    [
        "\nCompile less, and read the log.\n",
        "\n```python\ntorch.compile(model)  # a graph break\n```\n",
        "\n## Procedure\n\n1. Count the graph breaks.\n\n### How\n\nRead the recompiles.\n",
        "\n## References\n\nAll graph breaks are there.\n",
        "\n| Graph break | Case |\n|-|-|\n| Dynamo | `case:one` |\n",
        "\n| A |\n|-|\n| `one(2)` `case:one` |\n",
        "\nWrite `torch.new(x)` (`case:one`).\n",
        "\nDynamo unrolls it,\nas decided (`case:one`).\n",
        "\nOpen `references/shapes.md`.\n",
    ],
)
def test_what_breaks_no_rule(pack_world: PackWorld, text: str) -> None:
    """Instructions, code, heads of tables, and statements with a case."""
    (pack_world.root / "skills" / NAMES[0] / "references" / "shapes.md").touch()
    pack_world.skill(NAMES[0], SKILL + text)
    assert problems(pack_world) == []


def test_descriptions_share_one_limit(
    pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Clients show those of all skills together."""
    length = sum(len(f"Use when {name} is what you need.") for name in NAMES)
    monkeypatch.setattr(lint, "MOST_DESCRIPTIONS", length)
    assert problems(pack_world) == []
    monkeypatch.setattr(lint, "MOST_DESCRIPTIONS", length - 1)
    assert problems(pack_world) == [
        f"descriptions have {length} characters, more than {length - 1}; shorten them"
    ]


def test_a_long_reference_is_found(pack_world: PackWorld) -> None:
    """One reading of it would take too many tokens."""
    folder = pack_world.root / "skills" / NAMES[0] / "references"
    (folder / "memory.md").write_text("word " * 2001)
    (found,) = check_skill_files(*pack_world.read())
    assert (found.path.name, "more than 2000" in found.message) == ("memory.md", True)


def test_without_the_tokenizer_one_sentence_says_so(
    pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other rules are checked all the same."""
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    counting._vocabulary.cache_clear()
    pack_world.skill(NAMES[0], SKILL.replace("Use when", "It"))
    first, second = problems(pack_world)
    assert "does not begin" in first
    assert second.startswith("bpe-openai, which counts tokens, is not installed; run")
    with pytest.raises(CasebookError):
        tokens("x")


def test_tokens_are_those_of_the_vocabulary() -> None:
    """As its publisher counts them."""
    counting._vocabulary.cache_clear()
    assert tokens("hello world") == 2
    assert tokens("torch._dynamo.mark_dynamic(x, 0)") > 8


def test_a_statement_knows_its_line(tmp_path: Path) -> None:
    """In the file, front matter included; a row has the line of its table's row."""
    page = tmp_path / "SKILL.md"
    page.write_text("---\nname: a\n---\n# A\n\nOne\ntwo.\n\n## B\n\n| h |\n|-|\n| x |\n\n- y\n")
    _, body, first = split_page(page)
    assert [(it.line, it.heading, it.text) for it in statements(body, first)] == [
        (6, "", "One two."),
        (13, "B", "x"),
        (15, "B", "y"),
    ]
