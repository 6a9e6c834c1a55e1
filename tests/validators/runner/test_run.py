"""The runner, its zygote and its workers, on proofs that misbehave in every way."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import call
from tests.validators.runner import toy
from validators.cli import main
from validators.evidence import load_evidence

ROOT = Path(__file__).resolve().parents[3]
torch_here = importlib.util.find_spec("torch") is not None
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not torch_here, reason="the arms need torch")]

EXPECTED = {
    "agrees": "confirmed",
    "symptom_does_not_show": "refuted",
    "remedy_does_not_help": "remedy-failed",
    "swapped": "refuted",
    "always_true": "remedy-failed",
    "always_false": "refuted",
    "silently_eager": "error",
    "openly_eager": "confirmed",
    "raises": "error",
    "returns_a_wish": "error",
    "segfaults": "error",
    "exits": "error",
    "hangs": "error",
    "shows_raises": "error",
    "shows_a_number": "error",
    "wavers": "confirmed",
    "reads_its_variable": "confirmed",
    "edits_itself": "error",
    "hangs_in_native_code": "error",
    "eats_memory": "error",
    "eats_shared_memory": "error",
    "is_killed": "error",
    "is_killed_by_a_nameless_signal": "error",
    "calls_itself_odd_names": "confirmed",
    "imports_the_runner": "error",
    "imports_the_runner_by_name": "error",
    "reports_too_much": "error",
    "prints_a_gigabyte": "confirmed",
    "leaves_a_child": "confirmed",
    "relies_on_an_orphan": "confirmed",
}
REASONS = {
    "silently_eager": "call 0 of the remedy ran no compiled graph",
    "raises": "the symptom: KeyError: 'lost'",
    "returns_a_wish": "symptom returned dict, not a probe's report",
    "segfaults": "the remedy: was killed by SIGSEGV",
    "exits": "the symptom: ended with exit status 0 and no result",
    "hangs": "the remedy: took longer than 20 s",
    "hangs_in_native_code": "the symptom: took longer than 20 s",
    "eats_memory": "the symptom: MemoryError",
    "eats_shared_memory": "the symptom: used more than 768 MiB of memory; free some, or raise",
    "is_killed": "the symptom: was killed by SIGKILL, which is what running out of memory",
    "is_killed_by_a_nameless_signal": "the symptom: was killed by signal 40",
    "imports_the_runner_by_name": "the proof imported validators.runner, which no digest covers",
    "imports_the_runner": "imports_the_runner.py:23: imports 'validators.runner'",
    "reports_too_much": "the symptom: sent more than 4 MiB; report less",
    "edits_itself": "edits_itself.py changed while the case ran",
    "shows_raises": "no_such_field",
    "shows_a_number": "shows returned int for the symptom, not a bool",
}


def run(catalog: Path, *arguments: str) -> tuple[int, dict]:
    """Exit status and JSON of `run-all` over `catalog`."""
    command = [sys.executable, "-m", "validators", "run-all", "--json", "--device", "cpu"]
    done = subprocess.run(
        [*command, "--catalog", str(catalog), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def warm_run(catalog: Path, *arguments: str) -> tuple[int, dict]:
    """What `run` returns, of a command in this process; needs `warm`."""
    done = text_run(catalog, "run-all", "--json", *arguments)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def verdicts(output: dict) -> dict[str, str]:
    """The verdicts of a run by case."""
    return {result["case"]: result["verdict"] for result in output["results"]}


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """One run over all toy proofs."""
    root = tmp_path_factory.mktemp("toy")
    status, output = run(toy.write_toy(root), "--junitxml", str(root / "junit.xml"))
    return root, status, output


def test_each_behaviour_has_its_verdict(whole_run):
    """Every way to behave or misbehave ends in the verdict that DESIGN names, and no other."""
    assert verdicts(whole_run[2]) == EXPECTED


def test_a_broken_arm_is_explained(whole_run):
    """The reason of an error says which arm broke and how."""
    reasons = {result["case"]: result["reason"] for result in whole_run[2]["results"]}
    for case, expected in REASONS.items():
        assert expected in reasons[case], case


def test_a_broken_arm_gives_exit_status_3(whole_run):
    """Errors outrank verdicts that disagree."""
    assert whole_run[1] == 3 == whole_run[2]["exit_status"]


def test_evidence_depends_on_the_probes_that_a_proof_uses(whole_run):
    """And not on their index, which every new probe is entered in."""
    records = load_evidence(whole_run[0] / "build" / "evidence").values()
    (modules,) = (record.modules for record in records if record.case == "agrees")
    probes = {Path(place).name for place in modules if place.startswith("validators/probes/")}
    assert "observation.py" in probes
    assert not probes & {"__init__.py", "dispatch.py"}


def test_nothing_survives_a_run(whole_run):
    """Neither a descendant in a session of its own nor a temporary folder is left."""
    commands = [
        path.read_bytes()
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if os.access(path, os.R_OK)
    ]
    assert not any(b"7654321" in command for command in commands)


def test_junit_counts_what_broke_and_what_disagrees(whole_run):
    """CI services see errors and failures apart."""
    import xml.etree.ElementTree as ET

    suite = ET.parse(whole_run[0] / "junit.xml").getroot().find("testsuite")
    assert suite.get("errors") == str(list(EXPECTED.values()).count("error"))
    assert suite.get("failures") == "5"
    hang = suite.find("testcase[@name='hangs']/error")
    assert "time.sleep" in hang.text or "in remedy" in hang.text


def test_what_is_current_does_not_run_again(whole_run):
    """A second run runs errors again and nothing else."""
    status, output = run(whole_run[0] / "playbooks" / "catalog", "--only", "*s")
    again = {r["case"] for r in output["results"] if not r["current"]}
    assert again == {case for case, v in EXPECTED.items() if case.endswith("s") and v == "error"}
    assert status == 3


def test_an_edited_proof_is_stale_and_an_edited_page_is_not(tmp_path, warm):
    """The digest covers what execution depends on, and no prose."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped")
    warm_run(catalog)
    page, proof = catalog / "tooling" / "agrees.md", catalog / "tooling" / "swapped.py"
    page.write_text(page.read_text() + "More prose.\n")
    proof.write_text(proof.read_text() + "\nEDITED = 1\n")
    _, output = warm_run(catalog)
    assert {r["case"]: r["current"] for r in output["results"]} == {
        "agrees": True,
        "swapped": False,
    }


def test_repeats_that_disagree_are_unstable(tmp_path, warm):
    """An arm that shows the symptom only at first has no verdict but `unstable`."""
    catalog = toy.write_toy(tmp_path, "wavers")
    status, output = warm_run(catalog, "--repeat", "3")
    assert verdicts(output) == {"wavers": "unstable"}
    assert [result["agreement"] for result in output["results"]] == ["unstable"]
    assert status == 0


def test_fresh_interpreters_agree_with_forked_ones(tmp_path):
    """`--isolation fresh` changes no verdict."""
    names = ("agrees", "silently_eager")
    _, output = run(toy.write_toy(tmp_path, *names), "--isolation", "fresh")
    assert verdicts(output) == {name: EXPECTED[name] for name in names}


@pytest.mark.matrix
def test_another_interpreter_needs_nothing_of_ours(tmp_path):
    """`--python` runs the arms where only torch is installed, in a column of its own."""
    others = os.environ.get("CASEBOOK_PYTHONS", "")
    if not others:
        pytest.skip("CASEBOOK_PYTHONS names no second interpreter")
    pythons = [sys.executable, *others.split(os.pathsep)]
    arguments = [word for python in pythons for word in ("--python", python)]
    _, output = run(toy.write_toy(tmp_path, "agrees", "swapped"), *arguments)
    assert len(output["environments"]) == len(pythons)
    assert len({r["column"] for r in output["results"]}) == len(pythons)
    assert {(r["case"], r["verdict"]) for r in output["results"]} == {
        ("agrees", "confirmed"),
        ("swapped", "refuted"),
    }


def text_run(catalog: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A finished command over `catalog`, its output as a user sees it; needs `warm`."""
    return call(main, *arguments, "--device", "cpu", "--catalog", catalog, cwd=ROOT)


@pytest.mark.smoke
def test_what_a_user_reads(tmp_path, warm):
    """Verdicts, totals, what disagrees; for what broke its traceback and how to run it again."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped", "raises")
    done = text_run(catalog, "run", "agrees", "swapped", "raises")
    assert done.returncode == 3
    assert "confirmed     agrees  torch-" in done.stdout
    assert re.search(r"swapped\s.*refuted\s+`holds` expects it to be confirmed here", done.stdout)
    assert re.search(r"2 claims decided on torch-\S+: 1 confirmed, 1 refuted\.\n", done.stdout)
    assert "1 not decided: 1 error.\n" in done.stdout
    assert "raises (torch-" in done.stderr
    assert "raise KeyError('lost')" in done.stderr
    assert "python -m validators run raises --isolation fresh" in done.stderr


def test_record_merges_and_then_changes_nothing(tmp_path, warm):
    """What was decided is kept, errors are not, and a second run adds only noise."""
    catalog = toy.write_toy(tmp_path, "agrees", "raises")
    first = text_run(catalog, "run-all", "--record")
    assert "recorded agrees" in first.stdout
    files = (tmp_path / "playbooks" / "evidence").rglob("*.json")
    kept = {file: file.read_bytes() for file in files}
    assert {file.stem for file in kept if file.parent.name == "verdicts"} == {"agrees"}
    second = text_run(catalog, "run-all", "--record", "--force")
    assert "recorded" not in second.stdout
    assert {file: file.read_bytes() for file in kept} == kept


def test_a_verdict_that_committed_evidence_contradicts(tmp_path, warm):
    """Exit status 1, and the sentence says what the evidence holds."""
    catalog = toy.write_toy(tmp_path, "agrees")
    text_run(catalog, "run-all", "--record")
    file = tmp_path / "playbooks" / "evidence" / "verdicts" / "agrees.json"
    file.write_text(file.read_text().replace('"confirmed"', '"refuted"'))
    done = text_run(catalog, "run", "agrees")
    assert done.returncode == 1
    assert "the committed evidence says refuted" in done.stdout


def test_a_reader_that_leaves_and_a_folder_that_cannot_be_written(tmp_path, warm):
    """Neither a closed pipe nor a full or forbidden disk ends in a traceback."""
    catalog = toy.write_toy(tmp_path, "agrees", "swapped")
    command = f"{sys.executable} -m validators run-all --catalog {catalog}"
    left = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{command} | true"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert left.returncode == 1
    assert "Traceback" not in left.stderr
    (tmp_path / "build").rename(tmp_path / "elsewhere")
    (tmp_path / "build").write_text("not a folder")
    forbidden = text_run(catalog, "run-all")
    assert forbidden.returncode == 2
    assert forbidden.stderr.startswith("Error: ")
    assert "Traceback" not in forbidden.stderr
