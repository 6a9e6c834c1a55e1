"""Whatever the user can fix is said in one sentence, with status 2 and no traceback."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from docsite import __main__ as command_line
from docsite import build as docsite_build
from docsite.build import tree_of
from mkdocs.exceptions import Abort

from tests.world import World, front
from validators.errors import CasebookError

from .conftest import built, pages_of, refusal, run_docsite


def fails(world: World, out: Path | None = None, evidence: Sequence[Path] = ()) -> str:
    """The one sentence with which the build refuses this repository."""
    said = refusal(world, out, evidence)
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("matter", "said"),
    [
        ("date: 2026-01-23\ntype: novel\nsummary: s", "x.md:3: `type`"),
        ("date: 2026-01-23\ntype: plan", "x.md:1: lacks `summary`"),
        ("date: 2026-01-24\ntype: plan\nsummary: s", "x.md:2: `date` is 2026-01-24"),
        ("date: 2026-01-23\ntype: plan\nsummary: s\ncases: {nope: supports}", "x.md:5: `cases`"),
        ("date: 2026-01-23\ntype: plan\nsummary: s\nsupersedes: nope", "x.md:5: `supersedes`"),
        ("date: [", "is not YAML"),
    ],
)
def test_bad_front_matter_of_a_log_entry(world: World, matter: str, said: str) -> None:
    """The file, the line, what is wrong and the remedy."""
    world.case("one", front())
    world.write("playbooks/logs/2026-01-23-x.md", f"---\n{matter}\n---\n# X\n")
    assert said in fails(world)


def test_a_missing_evidence_folder(world: World) -> None:
    """A folder that is named must be there."""
    world.case("one", front())
    assert "nowhere: is not a folder" in fails(world, evidence=[world.root / "nowhere"])


def test_a_missing_catalog(world: World) -> None:
    """The catalog must exist, too; the command line says so with status 2."""
    world.catalog.rmdir()
    done = run_docsite("build", "--catalog", world.catalog, "--out", world.root / "build")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("Error: ") and "catalog: is not a folder" in done.stderr


@pytest.mark.parametrize("out", [".", "playbooks", "playbooks/catalog"])
def test_a_casebook_is_no_place_for_its_site(world: World, out: str) -> None:
    """A folder of its own could be replaced."""
    world.case("one", front())
    mine = world.write(f"{out}/docs/mine.txt", "mine")
    assert "holds the casebook; give --out a folder" in fails(world, world.root / out)
    assert mine.read_text() == "mine"


@pytest.mark.parametrize("target", ["gone.md", "../sources", "../first_on_gpu.yaml"])
def test_a_link_that_leads_nowhere(world: World, target: str) -> None:
    """The build fails and names the line, also where other catalogs have a page."""
    world.case("one", front())
    world.write("playbooks/guides/g.md", f"# G\n\nSee [this]({target}).\n")
    assert f"g.md:3: links to {target}, which does not exist" in fails(world)


def test_a_citation_of_no_case(world: World) -> None:
    """A skill cannot lean on a case that is not there."""
    world.case("one", front())
    world.write("skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\nSee `case:two`.\n")
    assert "SKILL.md:5: cites 'two', which is not a case" in fails(world)


def test_a_proof_that_is_not_python(world: World) -> None:
    """The proof's own line is named."""
    world.case("one", front())
    world.write("playbooks/catalog/graph_breaks/one.py", "x = 1\ndef (\n")
    assert "one.py:2: is not Python" in fails(world)


@pytest.mark.parametrize("folder", ["docs", "copies"])
def test_a_folder_that_is_not_ours_is_not_replaced(world: World, folder: str) -> None:
    """Somebody's own folder may be called like one of ours."""
    world.case("one", front())
    mine = world.write(f"elsewhere/{folder}/mine.txt", "mine")
    said = fails(world, world.root / "elsewhere")
    assert f"{folder}: holds other files; give --out a folder of its own" in said
    assert mine.read_text() == "mine"


def test_a_page_that_links_to_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page and the link are named once; links to what is there are not."""
    world.case("one", front())
    content = world.load()
    pages = [it for it in pages_of(content) if it.path != "about/index.html"]
    tree_of(content)
    monkeypatch.setattr(docsite_build, "all_pages", lambda *_: pages)
    with pytest.raises(CasebookError) as caught:
        tree_of(content)
    said = "index.html: links to about/index.html, which the site does not have; fix the link"
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("#gone", "contains a link '#gone', but there is no such anchor on this page"),
        ("h.md#gone", "contains a link '../h/index.md#gone', but the doc"),
    ],
)
def test_a_heading_that_is_not_there(
    world: World, caplog: pytest.LogCaptureFixture, target: str, said: str
) -> None:
    """MkDocs names the page and the link, and makes no site."""
    world.case("one", front())
    world.write("playbooks/guides/g.md", f"# G\n\n[this]({target})\n")
    world.write("playbooks/guides/h.md", "# H\n\n[this](#there)\n\n## There\n")
    with pytest.raises(Abort, match="strict"):
        built(world)
    (told,) = [it.getMessage() for it in caplog.records if it.levelname == "WARNING"]
    assert "guides/g/index.md" in told and said in told


def test_a_way_to_no_guide(world: World) -> None:
    """Home would lead nowhere."""
    world.case("one", front())
    way = "ways: [{title: t, guide: gone, text: x}]"
    text = f"---\ntitle: T\nabout: a\ndescription: d\nareas: [graph_breaks]\n{way}\n"
    world.write("playbooks/casebook.yaml", text)
    assert "casebook.yaml:6: `ways`: no guide is called 'gone'; name one that exists" in fails(
        world
    )


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain installation can validate but not build."""
    monkeypatch.setitem(command_line._PACKAGES, "no_such_module", "Nothing")
    with pytest.raises(CasebookError, match=r"lacks Nothing; run .*\[site\]"):
        command_line.require_packages()
