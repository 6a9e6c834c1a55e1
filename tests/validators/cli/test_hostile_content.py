"""A catalog with a file of every hostile kind: all else is listed, checked and run all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import call
from validators.cli import main
from validators.evidence import write_record

ROOT = Path(__file__).resolve().parents[3]
MARKUP = "<script>alert(1)</script> {{ 7*7 }} {% raw %} <img src=x onerror=alert(2)> ${x} `rm`"
PAGES = {
    "not_yaml": (b"---\nclaim: a: b\n---\n", ":2: is not YAML"),
    "not_utf8": (b"---\nclaim: a\n---\n\xff\n", ":4: is not UTF-8"),
    "huge": (b"---\n---\n" + b"x" * 10_000_000, ": is larger than 256 KiB"),
    "deep": (b"---\nclaim: " + b"[" * 30_000 + b"\n---\n", ":1: nests deeper than 20 levels"),
    "wide": (b"---\nclaim: " + b"[[]," * 60_000 + b"\n---\n", ":1: front matter is larger than"),
    "bomb": (b"---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n---\n", ":1: repeats a value by"),
    "escape": (b'---\nclaim: "\\e[2J"\n---\n', ":1: front matter holds the control character"),
    "cursor": (b"---\nclaim: a\n---\n\x1b[2J", ":4: holds the control character U+001B"),
    "empty": (b"", ":1: has no front matter"),
}
PROOFS = {
    "not_python": (b"x = 1\ndef (\n", ":2: is not Python"),
    "null_bytes": (b"x = 1\0\n", ":1: holds the control character U+0000"),
    "escape_proof": (b"x = 1\n# \x1b[2J\n", ":2: holds the control character U+001B"),
    "deep_proof": (b"-" * 100_000 + b"1", ": nests too deep for Python's own parser"),
    "big_proof": (b"#" * 10_000_000, ": is larger than 256 KiB"),
    "not_utf8_proof": (b"# \xff", ":1: is not UTF-8"),
    "imports_runner": (b"import validators.runner\n", ":1: imports 'validators.runner'"),
    "builds_report": (b"from validators.probes import Report\n", ":1: imports 'Report'"),
}
NO_FILES = {
    "pipe": (os.mkfifo, "cannot be read (Not a regular file)"),
    "folder": (os.mkdir, "cannot be read (Is a directory)"),
}
NAMES = {b"<img src=x>": "<img src=x>", b"\xff": r"\udcff", b"two\nlines": r"two\nlines"}


@pytest.fixture(scope="module")
def anyone() -> bool:
    """Whether files can be kept from this user."""
    return os.geteuid() != 0


@pytest.fixture
def catalog(tmp_path, write_case) -> Path:
    """Three healthy cases, one of them full of markup, among one hostile file of every kind."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "guards", "good", devices=["cuda"])
    write_case(root, "guards", "next", devices=["cuda"])
    texts = {"claim": MARKUP, "believed": MARKUP, "sources": [MARKUP], "kind": "retraction"}
    write_case(root, "memory", "markup", devices=["cuda"], **texts)
    guards, numerics = root / "guards", root / "numerics"
    for name, (raw, _) in PAGES.items():
        write_case(root, "guards", name).write_bytes(raw)
    for name, (raw, _) in PROOFS.items():
        write_case(root, "numerics", name).with_suffix(".py").write_bytes(raw)
    for name, (make, _) in NO_FILES.items():
        write_case(root, "guards", f"{name}_page").unlink()
        make(guards / f"{name}_page.md")
        write_case(root, "numerics", f"{name}_proof").with_suffix(".py").unlink()
        make(numerics / f"{name}_proof.py")
    for raw in NAMES:
        page = write_case(root, "guards", "odd")
        page.rename(os.fsdecode(os.fsencode(guards) + b"/" + raw + b".md"))
        page.with_suffix(".py").unlink()
    (guards / "device.md").symlink_to("/dev/zero")
    write_case(root, "numerics", "link").with_suffix(".py").unlink()
    (numerics / "link.py").symlink_to("/dev/zero")
    (guards / "circle.md").symlink_to("circle.md")
    (guards / "circle").symlink_to(".")
    (root / "circle").symlink_to(".")
    write_case(root, "tooling", "closed", devices=["cuda"]).chmod(0)
    return root


@pytest.fixture
def python(tmp_path) -> Path:
    """An interpreter that says it has torch and runs nothing."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "version.py").write_text("__version__ = '2.13.0+cpu'\n")
    modules = {"torch": f"{tmp_path}/torch/__init__.py", "triton": "", "numpy": ""}
    answer = {"python": "3.12.4", "executable": "/nowhere/python", "modules": modules}
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(answer)}\nEND\n")
    script.chmod(0o755)
    return script


def run(catalog: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The finished command; it neither hangs nor shows a traceback, nor anything to a terminal."""
    words = (*map(str, arguments), "--catalog", str(catalog))
    if arguments[0] == "run-all":
        command = [sys.executable, "-m", "validators", *words]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60)
    else:
        done = call(main, *words, cwd=ROOT)
    assert "Traceback" not in done.stderr
    assert (done.stdout + done.stderr).replace("\n", "").isprintable()
    return done


def sentences(text: str, place: str, said: str) -> list[str]:
    """The lines about a place that say this; each has a remedy at its end."""
    found = [line for line in text.split("\n") if place in line and said in line]
    assert all("; " in line.rpartition(said)[2] for line in found)
    return found


def test_check_names_each_file_once_and_reads_the_rest(catalog, anyone):
    """The place, what is wrong and the remedy, on one line each; status 2."""
    done = run(catalog, "check")
    assert done.returncode == 2
    for name, (_, said) in PAGES.items():
        assert len(sentences(done.stdout, f"guards/{name}.md", said)) == 1
    for name, (_, said) in PROOFS.items():
        assert len(sentences(done.stdout, f"numerics/{name}.py", said)) == 1
    for name, (_, said) in NO_FILES.items():
        assert len(sentences(done.stdout, f"guards/{name}_page.md", said)) == 1
        assert len(sentences(done.stdout, f"numerics/{name}_proof.py", said)) == 1
    for name in NAMES.values():
        assert len(sentences(done.stdout, f"guards/{name}.md", "is not a case's name")) == 1
    assert len(sentences(done.stdout, "device.md", "Not a regular file")) == 1
    assert len(sentences(done.stdout, "link.py", "is a link, whose target no digest covers")) == 1
    assert len(sentences(done.stdout, "circle.md", "symbolic links")) == 1
    assert len(sentences(done.stdout, "closed.md", "Permission denied")) == anyone
    for healthy in ("good", "next", "markup"):
        assert f"{healthy}.md" not in done.stdout and f"{healthy}.py" not in done.stdout


def test_list_status_and_show_have_the_rest(catalog):
    """What can be read is shown; status 2 where something could not."""
    for command in ("list", "status"):
        done = run(catalog, command)
        assert done.returncode == 2
        assert {"good", "next"} <= set(done.stdout.split())
        for name, (_, said) in PAGES.items():
            assert len(sentences(done.stderr, f"guards/{name}.md", said)) == 1
    listed = json.loads(run(catalog, "list", "--json").stdout)
    assert {"good", "next", "markup"} <= {case["name"] for case in listed["cases"]}
    assert len(listed["problems"]) >= len(PAGES) + len(NO_FILES) + len(NAMES)
    shown = run(catalog, "show", "markup")
    assert shown.returncode == 0 and MARKUP.replace("`", "") in " ".join(shown.stdout.split())
    assert r"# \x1b[2J" in run(catalog, "show", "escape_proof").stdout
    for name in ("pipe_proof", "folder_proof", "link"):
        broken = run(catalog, "show", name)
        assert broken.returncode == 2 and broken.stderr.count("\n") == 1


def test_run_all_runs_the_rest(catalog, python):
    """A proof that cannot be read, or imports what it may not, is an error and never started."""
    place = ("--python", python, "--device", "cpu")
    done = run(catalog, "run-all", *place, "--json")
    results = {result["case"]: result for result in json.loads(done.stdout)["results"]}
    assert done.returncode == 3
    for name in ("good", "next", "markup"):
        assert results[name]["verdict"] == "skipped"
    for name, (_, said) in PROOFS.items():
        assert results[name]["verdict"] == "error"
        assert sentences(results[name]["reason"], f"{name}.py", said)
    for name, (_, said) in NO_FILES.items():
        assert results[f"{name}_proof"]["verdict"] == "error"
        assert sentences(results[f"{name}_proof"]["reason"], f"{name}_proof.py", said)
    assert "link.py: is a link" in results["link"]["reason"]
    for name, (_, said) in PAGES.items():
        assert len(sentences(done.stderr, f"guards/{name}.md", said)) == 1
    assert run(catalog, "run-all", *place, "--area", "memory").returncode == 2


@pytest.mark.parametrize("where", ["playbooks/evidence", "build/evidence"])
@pytest.mark.parametrize("kind", ["damaged", "pipe", "folder"])
def test_damaged_evidence_costs_its_own_case_only(tmp_path, write_case, make_record, where, kind):
    """Committed or this machine's own: the file and the remedy are said, all else is shown."""
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "good")
    write_case(catalog, "guards", "next", devices=["cuda"])
    write_record(tmp_path / where, make_record("good"))
    file = tmp_path / where / "verdicts" / "next.json"
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    else:
        file.write_bytes(b'{"code": {}, "columns": \n')
    for command in (["list"], ["status"]):
        done = run(catalog, *command)
        assert "affects" in done.stdout
        assert done.returncode == 2
        assert len(sentences(done.stderr, str(file), ": is not a case's evidence (")) == 1
    # Only its own case needs the file.
    assert (run(catalog, "show", "good").returncode, run(catalog, "show", "next").returncode) == (
        0,
        2,
    )
    # What this machine recorded can be made again; what is committed is content.
    assert (str(file) in run(catalog, "check").stdout) == (where == "playbooks/evidence")


@pytest.mark.parametrize("where", ["playbooks/evidence", "build/evidence"])
def test_damaged_evidence_does_not_keep_cases_from_running(
    tmp_path, write_case, make_record, python, where
):
    """A night's run goes on without the file; status 2 only where it is committed."""
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "next", devices=["cuda"])
    write_record(tmp_path / where, make_record("next"))
    file = tmp_path / where / "verdicts" / "next.json"
    file.write_bytes(b"damage\n")
    done = run(catalog, "run-all", "--python", python, "--device", "cpu")
    assert "1 not decided: 1 needs a CUDA device." in done.stdout
    assert len(sentences(done.stderr, str(file), ": is not a case's evidence (")) == 1
    assert done.returncode == (2 if where == "playbooks/evidence" else 0)
