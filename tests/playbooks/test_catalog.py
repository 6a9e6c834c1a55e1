"""The real catalog: what must be true of every case, whatever it claims."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from validators.checks import check_all

ROOT = Path(__file__).resolve().parents[2]
CATALOG = ROOT / "playbooks" / "catalog"


def swap_arms(proof: str) -> str:
    """The proof with its symptom and its remedy exchanged."""
    other = {"symptom": "remedy", "remedy": "symptom"}
    return re.sub(
        r"^def (symptom|remedy)\(", lambda m: f"def {other[m[1]]}(", proof, flags=re.MULTILINE
    )


def test_swapping_exchanges_the_arms():
    """The helper below renames both functions and nothing else."""
    assert swap_arms("def symptom(d):\n    remedy\ndef remedy(d): ...") == (
        "def remedy(d):\n    remedy\ndef symptom(d): ..."
    )


def test_check_finds_nothing():
    """Pages, proofs, citations, figures, logs, skills and evidence are in order."""
    checked = check_all(ROOT, CATALOG, ROOT / "playbooks" / "evidence")
    assert [str(problem) for problem in checked.problems] == []


@pytest.mark.slow
def test_swapped_arms_never_confirm(tmp_path):
    """A proof whose arms are exchanged loses its verdict, in every case of the catalog."""
    if importlib.util.find_spec("torch") is None:
        pytest.skip("the arms need torch")
    catalog = tmp_path / "playbooks" / "catalog"
    shutil.copytree(CATALOG, catalog, ignore=shutil.ignore_patterns("__pycache__"))
    for proof in catalog.glob("*/*.py"):
        proof.write_text(swap_arms(proof.read_text()))
    command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
    done = subprocess.run(
        [*command, "--catalog", str(catalog)], capture_output=True, text=True, cwd=ROOT
    )
    verdicts = {r["case"]: r["verdict"] for r in json.loads(done.stdout)["results"]}
    assert verdicts
    assert {case: v for case, v in verdicts.items() if v not in ("refuted", "skipped")} == {}
