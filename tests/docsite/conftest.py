"""The site of a small repository, built once, a page as HTML, and a browser to look at it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from docsite import __main__ as command_line
from docsite.all_pages import all_pages
from docsite.build import build
from docsite.content import Content, load
from docsite.finish import finish
from docsite.page import Page
from docsite.pages.releases import upgrades
from docsite.render import Writer
from markdown import Markdown
from mkdocs.commands.build import build as build_html
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from tests.commands import call
from tests.world import World, entry, front, populate
from validators.errors import CasebookError

BROWSER_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    # Containers often have 64 MB of shared memory, too little for a few tabs beside each other.
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty repository."""
    (tmp_path / "playbooks" / "catalog").mkdir(parents=True)
    return World(tmp_path)


@pytest.fixture
def told_world(world: World) -> World:
    """A belief that is introduced, supported and refuted, and a claim that is refuted later."""
    retraction = {"kind": "retraction", "believed": "A mark is *always* enough."}
    world.case("belief", front("It is `otherwise`.", aliases="[old_name]", **retraction))
    world.case("claim", front("It is so."), area="memory")
    world.record("belief")
    world.record("claim", verdict="refuted")
    named = "evidence: [torch-2.13.0-cpu]"
    both = entry("belief: introduces, claim: introduces")
    world.log("2026-01-25-c", both, "# C\n\nSee `case:belief`.\n")
    world.log("2026-01-25-a", entry("belief: refutes", named))
    world.log("2026-01-27-d", entry("claim: refutes", named))
    return world


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The populated repository, built."""
    world = World(tmp_path_factory.mktemp("repository"))
    world.catalog.mkdir(parents=True)
    populate(world)
    return built(world)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium that logs its console and its requests."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    webdriver = pytest.importorskip("selenium.webdriver")
    if not chromium or not driver:
        pytest.skip("chromium and chromedriver are not installed")
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*BROWSER_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})

    class Chrome(webdriver.Chrome):  # type: ignore[misc]
        def get(self, url: str) -> None:
            """Open a page; some releases of Chromium return before its scripts have run."""
            super().get(url)
            loaded = "return document.readyState === 'complete'"
            WebDriverWait(self, 20, poll_frequency=0.02).until(lambda it: it.execute_script(loaded))

    chrome = Chrome(options=options, service=Service(driver))
    yield chrome
    chrome.quit()


def built(world: World, **settings: str) -> Path:
    """The site of a repository as `tools/site.sh` makes it; `../docs` is what MkDocs read.

    `settings` stand in for those of `mkdocs.yml`.
    """
    out = world.root / "build"
    run_docsite("build", "--catalog", world.catalog, "--out", out, check=True)
    build_html(_configured(out, **settings))
    finish(out)
    return out / "site"


def _configured(out: Path, **settings: str) -> MkDocsConfig:
    """Our own configuration; a small repository lacks some pages of the navigation."""
    file = REPOSITORY / "mkdocs.yml"
    entries = yaml.safe_load(file.read_text("utf-8"))["nav"]
    nav = [it for it in entries if (out / "docs" / next(iter(it.values()))).exists()]
    folders = {"docs_dir": str(out / "docs"), "site_dir": str(out / "site")}
    return load_config(str(file), strict=True, nav=nav, **folders, **settings)


def pages_of(content: Content) -> list[Page]:
    """Every page of the site."""
    return all_pages(content, upgrades(content))


def source_of(content: Content, path: str) -> str:
    """What MkDocs reads of the page at site path `path`."""
    pages = {page.path: page for page in pages_of(content)}
    return Writer(frozenset(pages)).source(pages[path])


def copy_of(content: Content, path: str) -> str:
    """What agents read of it."""
    pages = {page.path: page for page in pages_of(content)}
    return Writer(frozenset(pages)).copy(pages[path])


def html_of(content: Content, path: str) -> str:
    """The page's body in HTML, as Python-Markdown makes it for the site; without the theme."""
    body = source_of(content, path).partition("\n---\n")[2]
    html = python_markdown().reset().convert(body)
    return html.replace("/index.md", "/index.html")


@cache
def python_markdown() -> Markdown:
    """Python-Markdown with the settings of the site; `reset` it before each text."""
    config = load_config(str(REPOSITORY / "mkdocs.yml"), docs_dir=str(REPOSITORY / "tests"))
    names, settings = config.markdown_extensions, config.mdx_configs
    return Markdown(extensions=names, extension_configs=settings)


def refusal(world: World, out: Path | None = None, evidence: Sequence[Path] = ()) -> str:
    """What the build says of a repository that it refuses."""
    with pytest.raises(CasebookError) as caught:
        build(load(world.catalog.resolve(), evidence), out or world.root / "build")
    return str(caught.value)


def run_docsite(*arguments: object, check: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command line of `python -m docsite`."""
    done = call(command_line.main, *arguments, cwd=REPOSITORY)
    assert not check or done.returncode == 0, done.stderr
    return done
