"""The rules for a SKILL.md: what it says about torch cites a case, and it is short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.validators.skillpack.small_pack import NAMES, read_pack, write_pack, write_skill
from validators.skillpack import lint
from validators.skillpack.lint import check_skill_files
from validators.skillpack.statements import statements

SENTENCE = "Inductor fuses it."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a small pack."""
    write_pack(tmp_path)
    return tmp_path


def messages(root: Path, body: str, description: str = "") -> list[str]:
    """What is wrong with the first skill if its page ends with `body`."""
    page = write_skill(root, NAMES[0], "0.2.0", description)
    page.write_text(page.read_text() + body)
    return [it.message for it in check_skill_files(*read_pack(root))]


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        (SENTENCE, True),
        ("Inductor fuses it (`case:one`).", False),
        ("It is raining.", False),
        (f"- one\n- {SENTENCE}\n", True),
        ("| a | b |\n|-|-|\n| a graph break | `case:one` |\n", False),
        ("| a | b |\n|-|-|\n| a graph break | here |\n", True),
        (f"```\n{SENTENCE}\n```\n", False),
        (f"## Procedure\n\n{SENTENCE}\n", False),
        (f"## Procedure\n\nx\n\n## Gotchas\n\n{SENTENCE}\n", True),
    ],
)
def test_what_is_said_about_torch_needs_a_case(body: str, needs: bool) -> None:
    """Paragraphs, items and rows alike; instructions and code do not."""
    assert any(it.needs_case for it in statements(body, 1)) is needs


def test_defects_of_a_page_are_told(root: Path) -> None:
    """Each in its own words."""
    assert messages(root, "") == []
    [message] = messages(root, f"\n{SENTENCE}\n")
    assert "cite the `case:NAME` that decides" in message
    [message] = messages(root, "\nSee references/absent.md for more.\n")
    assert message.startswith("names references/absent.md, which does not exist")
    [message] = messages(root, "", description="It helps.")
    assert "does not begin with 'Use when '" in message


def test_what_is_too_long_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines and tokens of a page, tokens of a reference, characters of all descriptions."""
    [message] = messages(root, "\nx\n" * 120)
    assert message.endswith("lines, more than 120; shorten it")
    [message] = messages(root, f"\n{'word ' * 2000}\n")
    assert message.endswith("tokens, more than 1800; shorten it")
    write_skill(root, NAMES[0], "0.2.0")
    (root / "skills" / NAMES[0] / "references" / "long.md").write_text("word " * 2100)
    [message] = [it.message for it in check_skill_files(*read_pack(root))]
    assert message.endswith("tokens, more than 2000; shorten it")
    (root / "skills" / NAMES[0] / "references" / "long.md").unlink()
    monkeypatch.setattr(lint, "MOST_DESCRIPTIONS", 50)
    assert any("descriptions have" in it.message for it in check_skill_files(*read_pack(root)))
