"""What a skill names exists on the releases that it speaks of."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from tests.validators.skillpack.conftest import SKILL, PackWorld
from tests.validators.skillpack.small_pack import NAMES
from validators.audit.claims import Claim
from validators.errors import CasebookError
from validators.skillpack import names
from validators.skillpack.names import FILE, check_names, record_names

OLD, NEW = "2.9.1", "2.15.0"
LACKING = {OLD: ("torch.new", "torch.gone", "torch._inductor.config.new_flag"), NEW: ("torch.gone")}


@pytest.fixture(autouse=True)
def answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two releases, which lack some names, and of the configurations have Inductor's alone."""

    def ask(python: str, claims: list[Claim]) -> tuple[str, dict[Claim, bool]]:
        def has(subject: str) -> bool:
            foreign = ".config." in subject and "_inductor" not in subject
            return subject not in LACKING[python] and not foreign and "mine" not in subject

        return python, {it: has(it.subject) for it in claims}

    monkeypatch.setattr(names, "ask", ask)


def problems(world: PackWorld) -> list[str]:
    """What is wrong with names."""
    return [it.message for it in check_names(*world.read())]


def recorded(world: PackWorld) -> dict[str, Any]:
    """What the file holds."""
    found: dict[str, Any] = json.loads((world.root / "playbooks" / FILE).read_text())
    return found


@pytest.mark.parametrize(
    ("text", "lacked"),
    [
        ("`torch.cat` and `TORCHINDUCTOR_CACHE_DIR`", ""),
        ('```bash\nTORCH_LOGS="recompiles" python x.py\n```', ""),
        ("`torch.gone` helps", f"torch {OLD}, {NEW} lacks"),
        ("`torch.gone` does not help", f"torch {OLD}, {NEW} lacks"),
        ("`torch.new` helps", f"torch {OLD} lacks"),
        ("`torch.new` helps on torch 2.15", ""),
        ("`torch.gone` helps on torch 2.15", f"torch {OLD}, {NEW} lacks"),
        ("`torch.gone` is nothing (`case:one`)", ""),
        ("`torch.gone` is nothing (`case:two`)", f"torch {OLD}, {NEW} lacks"),
        ("`new_flag=True` helps", f"torch {OLD} lacks"),
        ("`new_flag` helps on torch 2.15", ""),
        ("`mine_alone` is the user's", ""),
    ],
)
def test_names_that_a_release_lacks(pack_world: PackWorld, text: str, lacked: str) -> None:
    """They need a release, or a case whose page speaks of them."""
    pack_world.case("one", claim="Nothing is called `torch.gone`.")
    pack_world.skill(NAMES[0], f"{SKILL}\n{text}\n")
    record_names(*pack_world.read(), [OLD, NEW])
    found = problems(pack_world)
    assert len(found) == bool(lacked)
    assert lacked in "".join(found)


def test_a_new_name_is_not_yet_recorded(pack_world: PackWorld) -> None:
    """Nor is one that only some releases were asked for; what no skill names goes."""
    pack_world.skill(NAMES[0], f"{SKILL}\n`torch.cat`\n")
    assert "which any torch was not asked for" in problems(pack_world)[0]
    assert record_names(*pack_world.read(), [OLD, NEW]) == [OLD, NEW]
    assert recorded(pack_world) == {"name torch.cat": {OLD: True, NEW: True}}
    pack_world.skill(NAMES[0], f"{SKILL}\n`torch.stack`\n")
    assert f"which torch {OLD}, {NEW} was not asked for" in problems(pack_world)[0]
    record_names(*pack_world.read(), [NEW])
    assert recorded(pack_world) == {"name torch.stack": {NEW: True}}
    assert problems(pack_world) == []


def test_a_damaged_file_is_named(pack_world: PackWorld) -> None:
    """With what to do about it."""
    (pack_world.root / "playbooks" / FILE).write_text("[]")
    with pytest.raises(CasebookError, match=f"{FILE}: is damaged"):
        problems(pack_world)


@pytest.mark.slow
def test_this_torch_answers(pack_world: PackWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program of the audit, in this interpreter."""
    pytest.importorskip("torch")
    monkeypatch.undo()
    text = "`torch.compile` and `torch.compyle`, `suppress_errors`, `supress_errors`"
    pack_world.skill(NAMES[0], f"{SKILL}\n{text}\n")
    (release,) = record_names(*pack_world.read(), [sys.executable])
    assert recorded(pack_world) == {
        "flag suppress_errors": {release: True},
        "name torch.compile": {release: True},
        "name torch.compyle": {release: False},
    }
