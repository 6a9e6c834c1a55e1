"""The real catalog: what must be true of every case, whatever it claims."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from validators.catalog import expected_to_hold, load_catalog
from validators.catalog.citations import citations

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "playbooks" / "catalog"


def swap_arms(text: str) -> str:
    """A proof with its symptom and its remedy exchanged, or a page with their variables."""
    other = {"symptom": "remedy", "remedy": "symptom"}
    return re.sub(
        r"^(def |  )(symptom|remedy)(?=[(:])",
        lambda m: m[1] + other[m[2]],
        text,
        flags=re.MULTILINE,
    )


def test_swapping_exchanges_the_arms():
    """The helper renames both functions and nothing else, and moves the variables along."""
    assert swap_arms("env:\n  symptom: {A: symptom}\nsymptom:\n") == (
        "env:\n  remedy: {A: symptom}\nsymptom:\n"
    )
    assert swap_arms("def symptom(d):\n    remedy\ndef remedy(d): ...") == (
        "def remedy(d):\n    remedy\ndef symptom(d): ..."
    )


def test_the_guides_cover_every_case():
    """Whoever looks for trouble finds each case that is not retired."""
    guides = (ROOT / "playbooks" / "guides").glob("troubleshooting*.md")
    cited = {name for guide in guides for _, name in citations(guide.read_text())}
    assert {case.name for case in load_catalog(CATALOG).cases if not case.retired} <= cited


def test_evidence_names_no_folder_of_the_machine():
    """A proof that keeps what another program printed keeps what is the same everywhere."""
    folders = re.compile(r"/(?:home|opt|root|Users|work)/[\w.-]+|\.pyenv")
    files = (ROOT / "playbooks" / "evidence").rglob("*.json")
    assert {
        it.name: found for it in files if (found := folders.findall(it.read_text("utf-8")))
    } == {}


@pytest.mark.slow
def test_swapped_arms_never_confirm(tmp_path):
    """A proof whose arms are exchanged loses its verdict: the first CPU case of each area."""
    cases = [case for case in load_catalog(CATALOG).cases if not case.retired]
    quick = [it for it in cases if "cpu" in it.meta.devices and not it.meta.exclusive]
    first = {it.area: it.name for it in reversed(quick)}
    assert first.keys() == {it.area for it in cases}
    assert run_swapped(tmp_path, list(first.values())) == {}


@pytest.mark.whole
def test_swapped_arms_never_confirm_anywhere(tmp_path):
    """The same of every case in the catalog."""
    assert run_swapped(tmp_path, ["*"]) == {}


def run_swapped(folder: Path, globs: list[str]) -> dict[str, str]:
    """The verdicts, by case, on proofs with exchanged arms, where they are not what they must be.

    Each is to be refuted, as its remedy does not show the symptom, or skipped. Outside of a page's
    `holds` the remedy may show it, too, and then no order of the arms refutes the case.
    """
    if importlib.util.find_spec("torch") is None:
        pytest.skip("the arms need torch")
    here = (importlib.metadata.version("torch"), "cpu", platform.python_version())
    beyond = {c.name for c in load_catalog(CATALOG).cases if not expected_to_hold(c.meta, *here)}
    catalog = folder / "playbooks" / "catalog"
    shutil.copytree(CATALOG, catalog, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (path for path in catalog.glob("*/*") if path.suffix in (".md", ".py")):
        file.write_text(swap_arms(file.read_text()))
    command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
    command += ["--witnesses", "none", "--catalog", str(catalog), *(f"--only={it}" for it in globs)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    verdicts = {r["case"]: r["verdict"] for r in json.loads(done.stdout)["results"]}
    assert len(verdicts) >= len(globs)
    fine = {"refuted", "skipped"}
    return {
        case: verdict
        for case, verdict in verdicts.items()
        if verdict not in (fine | {"remedy-failed"} if case in beyond else fine)
    }
