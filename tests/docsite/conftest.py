"""The site of a small repository, built once, and a browser to look at it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from docsite import __main__ as command_line
from docsite.build import build

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
    """The populated repository, built by the command line; `../docs` holds its Markdown."""
    world = World(tmp_path_factory.mktemp("repository"))
    world.catalog.mkdir(parents=True)
    populate(world)
    run_docsite("build", "--catalog", world.catalog, "--out", world.root / "build", check=True)
    return world.root / "build" / "site"


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


def refusal(world: World, out: Path | None = None, evidence: Sequence[Path] = ()) -> str:
    """What the build says of a repository that it refuses."""
    with pytest.raises(CasebookError) as caught:
        build(world.catalog.resolve(), evidence, out or world.root / "build")
    return str(caught.value)


def run_docsite(*arguments: object, check: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command line of `python -m docsite`."""
    done = call(command_line.main, *arguments, cwd=REPOSITORY)
    assert not check or done.returncode == 0, done.stderr
    return done
