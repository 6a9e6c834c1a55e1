"""What the manifests say, and that they say the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.validators.skillpack.small_pack import NAMES, read_pack, write_pack, write_skill
from validators import __version__
from validators.errors import CasebookError
from validators.files import ROOT
from validators.skillpack.manifests import LIMITS, SCHEMA, files
from validators.skillpack.pack import load_pack

PLUGIN_FIELDS = {
    "$schema",
    "name",
    "version",
    "description",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
    "extensions",
}
"""The fields that Agent Plugins 1.0.0 permits."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a small pack."""
    write_pack(tmp_path)
    return tmp_path


def made(root: Path) -> dict[str, str]:
    """The files by name, as text."""
    return {str(path): content.decode() for path, content in files(*read_pack(root)).items()}


def test_manifests_and_skills_have_the_casebooks_version(root: Path) -> None:
    """A client updates a pack only when this version rises."""
    texts = made(root)
    manifests = {path: json.loads(text) for path, text in texts.items() if path.endswith(".json")}
    (plugin,) = manifests.pop(".claude-plugin/marketplace.json")["plugins"]
    assert plugin["source"] == "./"
    assert len(manifests) == 3
    for manifest in (*manifests.values(), plugin):
        assert manifest["name"] == "small-casebook"
        assert manifest["version"] == __version__
    for name in NAMES:
        text = texts[f"skills/{name}/SKILL.md"]
        assert f'  version: "{__version__}"\n' in text
        assert (
            text.replace(f'"{__version__}"', "'0'")
            == (root / f"skills/{name}/SKILL.md").read_text()
        )


def test_a_skill_without_a_place_for_the_version_is_named(root: Path) -> None:
    """Its SKILL.md would keep the version of another one."""
    page = root / "skills" / NAMES[1] / "SKILL.md"
    page.write_text(re.sub(r"metadata:\n.*\n", "", page.read_text()))
    with pytest.raises(CasebookError, match="has no line `  version:"):
        made(root)


def test_the_plugin_manifest_keeps_to_its_specification(root: Path) -> None:
    """Unknown fields, such as paths of components, do not conform."""
    plugin = json.loads(made(root)["plugin.json"])
    assert plugin.keys() <= PLUGIN_FIELDS
    assert plugin["$schema"] == SCHEMA
    assert set(plugin["author"]) <= {"name", "email", "url"}


def test_nothing_runs_at_installation_or_in_a_session(root: Path) -> None:
    """No manifest names hooks, commands, servers or scripts."""
    texts = made(root)
    keys = {
        key
        for path, text in texts.items()
        if path.endswith(".json")
        for key in re.findall(r'"(\$?\w+)":', text)
    }
    assert keys <= PLUGIN_FIELDS | {"owner", "plugins", "source"}


def test_the_index_for_agents_leads_to_every_skill(
    root: Path, write_case: Callable[..., Path]
) -> None:
    """Its links exist, and it holds the descriptions."""
    write_case(root / "playbooks/catalog", "graph_breaks", "one")
    (root / "CONTRIBUTING.md").touch()
    texts = made(root)
    links = re.findall(r"\]\(([^)]+)\)", texts["AGENTS.md"])
    assert [it for it in links if not (root / it).exists()] == []
    for name in NAMES:
        assert f"skills/{name}/SKILL.md" in links
        assert f"Use when {name} is what you need." in texts["AGENTS.md"]
    assert f"skills/{NAMES[0]}/references`" in texts["AGENTS.md"]
    assert texts["CLAUDE.md"] == "@AGENTS.md\n"


def test_other_names_lead_to_the_skills() -> None:
    """Documents from before the pack name some skills otherwise."""
    agents = (ROOT / "AGENTS.md").read_text("utf-8")
    assert "`torch-compile-debug-script` is `torch-compile-optimize`," in agents
    assert "`torch-compile-vlm-compile-latency` is `torch-compile-latency`.\n" in agents


def test_the_snippet_names_each_skill_and_when_to_open_it(root: Path) -> None:
    """It is all that an agent may know of the pack."""
    snippet = made(root)["skills/AGENTS-snippet.md"]
    assert f"- `{NAMES[0]}`: a line of a log\n- `{NAMES[1]}`: a slow model\n" in snippet
    assert f"search the references of `{NAMES[0]}`" in snippet


@pytest.mark.parametrize(("path", "most"), [(str(path), most) for path, most in LIMITS.items()])
def test_a_text_that_agents_would_cut_is_refused(root: Path, path: str, most: int) -> None:
    """The sentence names the file and both sizes."""
    title = "T" * most
    write_pack(root, title=title, description=title)
    with pytest.raises(CasebookError, match=f"^{path}: would have [0-9]+ bytes, .* {most};"):
        files(*read_pack(root))


def test_a_skill_without_a_page_is_named(root: Path) -> None:
    """The sentence says what to do about it."""
    (root / "skills" / NAMES[1] / "SKILL.md").unlink()
    with pytest.raises(CasebookError, match=r"small-optimize/SKILL\.md: is missing; write it"):
        files(*read_pack(root))


def test_a_defect_of_the_front_matter_is_named(root: Path) -> None:
    """In one sentence, with the line."""
    write_skill(root, NAMES[1], description=" ")
    with pytest.raises(CasebookError, match=r"SKILL\.md:2: `description`"):
        files(*read_pack(root))


def test_the_same_content_gives_the_same_bytes(root: Path) -> None:
    """Nothing depends on the time or on an order of folders."""
    assert made(root) == made(root)


def test_the_pack_of_this_repository_fits_into_the_snippet() -> None:
    """Each of its skills says when to open it."""
    pack, problems = load_pack(ROOT / "playbooks")
    assert pack is not None and not problems
    assert all(skill.when for skill in pack.skills)
