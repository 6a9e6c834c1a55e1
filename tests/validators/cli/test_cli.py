"""The command line: what it prints, its exit statuses, its errors of one sentence."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.commands import call
from tests.schemas import valid
from tests.world import page_with_example
from validators import __version__
from validators.cli import main
from validators.evidence import load_evidence, write_record
from validators.families import load_families
from validators.match import NEAREST
from validators.schemas import SCHEMAS

ROOT = Path(__file__).resolve().parents[3]
OURS = str(ROOT / "playbooks" / "catalog")


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The finished command `python -m validators ARGUMENTS`."""
    return call(main, *arguments, cwd=ROOT, **env)


@pytest.fixture
def catalog(tmp_path, write_case):
    """A catalog of one case, as the option that names it."""
    root = tmp_path / "playbooks" / "catalog"
    write_case(root, "graph_breaks", "tensor_branch", aliases=["branchy"])
    return root


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_printed(name):
    """As JSON Schema, which says which draft it follows."""
    schema = json.loads(run("schema", name).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]


def test_a_schema_that_there_is_not():
    """The answer names all that there are."""
    done = run("schema", "run-all")
    assert done.returncode == 2
    assert all(f"'{name}'" in done.stderr for name in SCHEMAS)


def test_the_version_is_said():
    """Of the casebook and of Python, in one line."""
    python = ".".join(map(str, sys.version_info[:3]))
    assert run("--version").stdout == f"torch-compile-casebook {__version__}, Python {python}\n"


@pytest.mark.parametrize(
    "command",
    [
        *("check", "compare", "diagnose", "draft-entry", "examples", "families", "import-log"),
        *("list", "match", "new", "new-entry", "patch", "record", "repro", "run", "run-all"),
        *("schema", "show", "soak", "status", "verify-fix"),
    ],
)
def test_the_help_has_an_example(command):
    """A line to copy."""
    said = " ".join(run(command, "--help").stdout.split())
    assert f"For example: python -m validators {command} " in said


def test_undecided_is_said(catalog):
    """A case that no program has run is undecided, in every command that looks."""
    assert "not tried" in run("list", "--catalog", str(catalog)).stdout
    assert "undecided" in run("show", "tensor_branch", "--catalog", str(catalog)).stdout
    status = run("status", "--catalog", str(catalog)).stdout
    assert "CUDA: of 1 claims that apply there, 0 ran on a GPU, 1 are open." in status


def test_stale_evidence_is_said(catalog, make_record):
    """A record of an older proof is shown as stale and decides nothing."""
    write_record(catalog.parent / "evidence", make_record("tensor_branch"))
    assert "affects (stale)" in run("list", "--catalog", str(catalog)).stdout


def test_json_fits_the_schemas(catalog, make_record):
    """What `--json` prints is what the schemas describe."""
    write_record(catalog.parent / "evidence", make_record("tensor_branch"))
    place = ("--catalog", str(catalog), "--json")
    assert valid("list", run("list", *place).stdout)["cases"][0]["name"] == "tensor_branch"
    assert len(valid("show", run("show", "branchy", *place).stdout)["records"]) == 1
    assert valid("status", run("status", *place).stdout)["cuda"]["claims"] == 1
    assert valid("check", run("check", *place).stdout)["checked"]["cases"] == 1


def test_releases_are_sorted_as_versions(catalog, make_record):
    """In every column and in JSON, wherever the records lie."""
    folders = catalog.parent / "evidence", catalog.parents[1] / "build" / "evidence"
    for torch, folder in zip(("2.11.0", "2.9.1", "2.5.1"), (*folders, folders[0]), strict=True):
        write_record(folder, make_record("tensor_branch", torch=torch))
    place = ("--catalog", str(catalog), "--json")
    ordered = [f"torch-{torch}-cpu" for torch in ("2.5.1", "2.9.1", "2.11.0")]
    for command in (["list"], ["status"], ["show", "tensor_branch"]):
        said = json.loads(run(*command, *place).stdout)
        case = said.get("case") or said["cases"][0]
        assert list(case["verdicts"]) == ordered
        assert said.get("columns", ordered) == ordered
        assert [it["column"] for it in said.get("records", [])] in ([], ordered)


def test_new_writes_a_case_that_checks_once_it_is_rewritten(tmp_path):
    """`check` finds only the placeholders in the two new files; `new` overwrites neither."""
    catalog = tmp_path / "playbooks" / "catalog"
    catalog.mkdir(parents=True)
    made = run("new", "guards", "some_guard", "--catalog", str(catalog), "--json")
    assert [Path(path).name for path in valid("new", made.stdout)["written"]] == [
        "some_guard.md",
        "some_guard.py",
    ]
    done = run("check", "--catalog", str(catalog))
    assert done.returncode == 2
    places = [line.split(":")[1] for line in done.stdout.split("\n") if "`REWRITE:` marks" in line]
    assert places == ["2", "4", "5", "21", "34", "45", "49", "53", "57", "1"]
    assert "10 problems" in done.stdout
    for file in (catalog / "guards").iterdir():
        file.write_text(file.read_text().replace("REWRITE: ", ""))
    done = run("check", "--catalog", str(catalog))
    assert done.returncode == 0, done.stdout
    again = run("new", "guards", "some_guard", "--catalog", str(catalog))
    assert again.returncode == 2
    assert "already has the name 'some_guard'" in again.stderr


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="the arms need torch")
def test_what_new_writes_runs_as_it_is(tmp_path, warm):
    """A scaffold that is confirmed can be changed step by step."""
    catalog = tmp_path / "playbooks" / "catalog"
    catalog.mkdir(parents=True)
    run("new", "guards", "some_guard", "--catalog", str(catalog))
    done = run("run", "some_guard", "--device", "cpu", "--json", "--catalog", str(catalog))
    assert [result["verdict"] for result in json.loads(done.stdout)["results"]] == ["confirmed"]
    assert done.returncode == 0, done.stderr
    shown = run("examples", "some_guard", "--catalog", str(catalog))
    assert shown.returncode == 0, shown.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "tensor_brunch"], "did you mean tensor_branch?"),
        (["run-all", "--only", "nothing*"], "no case is named 'nothing*'"),
        (["run-all", "--area", "guards"], "no case is left to run"),
        (["run-all", "--python", "/nowhere/python"], "is not a Python interpreter"),
        (
            ["run-all", "--area", "../up", "--catalog", OURS],
            "--area: '../up' is not an area; use one of caching,",
        ),
        (["new", "guards", "Not-A-Name"], "use lower case, digits and _"),
        (
            ["new", "gards", "name", "--catalog", OURS],
            "'gards' is not an area; use one of caching,",
        ),
        (["list", "--catalog", "/nowhere"], "is not a folder; name the catalog with --catalog"),
    ],
)
def test_bad_input_is_one_sentence(catalog, arguments, message):
    """The place, what is wrong and the remedy; exit status 2 and no traceback."""
    done = run(*arguments, *([] if "--catalog" in arguments else ["--catalog", str(catalog)]))
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_cuda_without_a_gpu_is_one_sentence(catalog, tmp_path):
    """--device cuda says what is missing instead of failing inside torch."""
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\nexit 9\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    done = run(
        "run-all", "--device", "cuda", "--catalog", str(catalog), PATH=f"{tmp_path}:/usr/bin:/bin"
    )
    assert done.returncode == 2
    assert "--device cuda cannot run" in done.stderr or "has no torch" in done.stderr


def test_a_broken_page_is_reported_and_the_rest_is_kept(catalog, write_case):
    """`list` names the place of a page that cannot be read and lists the others."""
    write_case(catalog, "guards", "broken").write_text("---\nclaim: [\n---\n")
    done = run("list", "--catalog", str(catalog))
    assert "broken.md:" in done.stderr
    assert "tensor_branch" in done.stdout


@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="a run needs torch")
def test_a_broken_order_for_a_gpu_keeps_nothing_from_running(catalog, write_case):
    """It is named, and what a CPU decides is decided."""
    write_case(catalog, "guards", "gpu_only", devices=["cuda"])
    (catalog.parent / "first_on_gpu.yaml").write_text("first: []\n")
    place = ("--catalog", str(catalog), "--json")
    command = [sys.executable, "-m", "validators", "run-all", "--device", "cpu", *place]
    command += ["--only", "gpu_only"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert "first_on_gpu.yaml:1: does not begin with a line `---`" in done.stderr
    assert done.returncode == 2
    assert [result["verdict"] for result in json.loads(done.stdout)["results"]] == ["skipped"]


def test_check_fix_sets_figures(catalog, make_record):
    """`check --fix` makes a figure say what the evidence says."""
    write_record(catalog.parent / "evidence", make_record("tensor_branch"))
    page = catalog / "graph_breaks" / "tensor_branch.md"
    marked = "<!-- figure tensor_branch symptom.ops torch-2.13.0-cpu -->{}<!-- /figure -->"
    page.write_text(page.read_text() + marked.format("12"))
    assert "check --fix" in run("check", "--catalog", str(catalog)).stdout
    run("check", "--fix", "--catalog", str(catalog))
    assert marked.format("577") in page.read_text()
    assert load_evidence(catalog.parent / "evidence")


def test_nothing_imports_torch(catalog):
    """Commands that look must start quickly, and work where there is no torch."""
    code = (
        "import sys\nfrom validators.cli import cli\n"
        f"cli.main(['status', '--catalog', {str(catalog)!r}], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("package", ["click", "msgspec", "yaml", "packaging"])
def test_an_interpreter_without_our_packages_is_one_sentence(package):
    """A Python that lacks all of them, or one, is told which and how to get it."""
    code = (
        f"import runpy, sys; sys.modules[{package!r}] = None; sys.argv[1:] = ['list']\n"
        "runpy.run_module('validators', run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert f"lacks the package {package}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_name_is_cut_in_a_pipe(catalog, write_case, make_record):
    """The matrix is as wide as it has to be, however many columns there are."""
    name = "a_name_that_is_as_long_as_names_of_cases_get_to_be"
    write_case(catalog, "graph_breaks", name)
    for torch in ("2.11.0", "2.13.0", "2.14.0", "2.15.0"):
        write_record(catalog.parent / "evidence", make_record(name, torch=torch))
    said = run("status", "--catalog", str(catalog)).stdout
    assert name in said
    assert "torch-2.15.0-cpu" in said


def test_a_log_is_matched(tmp_path):
    """In plain text and in JSON, from a file and from stdin; the lines that tell are named."""
    log = tmp_path / "compile.log"
    log.write_text("torch==2.13.0\n\x1b[31mtorch._dynamo hit config.recompile_limit (8)\nGB9999\n")
    done = run("match", str(log))
    assert done.returncode == 0, done.stderr
    assert "No case is about GB9999; PyTorch's page: https://" in done.stdout
    assert ", by its words alone): " not in done.stdout.splitlines()[1]
    assert "line 2: torch._dynamo hit config.recompile_limit (8)" in done.stdout
    assert "No line of this" not in done.stdout
    assert "To learn more" not in done.stdout
    assert "confirmed on torch-2.13.0-cpu" in done.stdout
    found = valid("match", run("match", "--json", str(log)).stdout)
    assert (found["torch"], found["unexplained"]) == ("2.13.0", ["GB9999"])
    assert found["matches"][0]["lines"][0]["line"] == 2


def test_a_line_that_begins_with_a_dash_is_text():
    """As torch lists the guards that failed; a wrong option stays one."""
    said = run("match", "- 0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3")
    assert "line 1: - 0/0: tensor 'x' size mismatch" in said.stdout
    assert "No such option '--jsn'" in run("match", "--jsn", "x").stderr


def test_a_graph_break_without_a_case_is_told_in_torchs_words(tmp_path):
    """With the releases that print it."""
    log = tmp_path / "compile.log"
    log.write_text("torch._dynamo.exc.Unsupported: GB0156 and torch.compile and GB0147\n")
    uncovered = load_families(ROOT / "playbooks")
    known = next(it for it in uncovered if it.key == "GB0147")
    said = run("match", str(log)).stdout
    assert f"No case is about GB0147: {known.title} (printed by torch 2.9.1 to 2.15.0)" in said
    assert "   Explanation: Dynamo does not know how to trace the function" in said
    assert "   Hint: " in said
    assert "   More: python -m validators families GB0147" in said
    assert "No case is about GB0156" not in said
    assert "Nothing known" not in run("match", "GB0147").stdout


def test_an_answer_without_a_line_says_so(tmp_path):
    """The words are all that speaks for it, and what to run to learn more is said."""
    log = tmp_path / "report.txt"
    log.write_text("torch.compile\nmy kv cache\nis grown with torch.cat\nit recompiles\n")
    said = run("match", str(log)).stdout
    assert said.startswith("No line of this is known. ")
    assert ", by its words alone): " in said.splitlines()[1]
    assert "TORCH_LOGS" in said


def test_what_is_not_known_is_said(tmp_path, catalog):
    """With what to run to learn more, and an exit status of its own."""
    log = tmp_path / "other.log"
    log.write_text("KeyError: 'loss'\n")
    place = ("--catalog", str(catalog))
    done = run("match", str(log), *place)
    assert (done.returncode, done.stdout.startswith("Nothing known.")) == (1, True)
    assert "TORCH_LOGS" in done.stdout
    assert valid("match", run("match", "--json", str(log), *place).stdout)["matches"] == []


@pytest.mark.parametrize("words", [["print inside forward"], ["print", "inside", "forward"]])
def test_what_is_no_file_is_a_query(words, tmp_path):
    """Its nearest cases are named, and no advice about logs is given; a file is read before."""
    done = run("match", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{NEAREST}\n")
    assert done.stdout.splitlines()[1].startswith("1. print_in_forward (score ")
    assert "by its words alone" not in done.stdout and "TORCH_LOGS" not in done.stdout
    file = tmp_path / "print inside forward"
    file.write_text("KeyError: 'loss'\n")
    assert run("match", str(file)).stdout.startswith("Nothing known.")


def test_a_query_may_be_a_name(tmp_path):
    """Then nothing is said before the case that has it."""
    for name in ("expand-position-ids", "GB0033"):
        said = run("match", name).stdout
        assert said.startswith("1. ")
    found = valid("match", run("match", "--json", "expand-position-ids").stdout)
    best = found["matches"][0]
    assert (found["query"], best["case"], best["by"]) == (True, "expand_position_ids", "name")


@pytest.mark.parametrize("name", ["none.log", "logs/none", "C:\\none", "model.py"])
def test_a_file_that_is_missing_is_no_query(name):
    """Its name is in the sentence; an address has slashes, too, and is one."""
    missing = run("match", name)
    assert missing.returncode == 2
    assert missing.stderr == (
        f"Error: {name}: there is no such file; name one, - for standard input, or words to find\n"
    )
    link = run("match", "https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html")
    assert link.returncode == 0 and link.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="the programs need torch")
def test_an_example_is_run_and_recorded_once(tmp_path, write_case, warm):
    """Named, it runs again; unnamed, only what has not run as it stands."""
    before = 'import torch\nf = torch.compile(torch.sin, backend="eager")\nassert f is None'
    body = page_with_example(before, before.replace("is None", "(torch.ones(1)) > 0"))
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "one", body=body)
    write_case(catalog, "guards", "none")
    done = run("examples", "--catalog", str(catalog), "--record", "--show")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "confirmed     one" in done.stdout and "1 confirmed" in done.stdout
    assert "AssertionError" in done.stdout and "recorded one torch-" in done.stdout
    again = run("examples", "--catalog", str(catalog), "--record")
    assert (again.returncode, again.stdout) == (0, "nothing to run\n")
    named = run("examples", "one", "--catalog", str(catalog))
    assert "1 confirmed" in named.stdout


BREAKS = """\
import torch
from validators.probes import observe

def broken(x):
    torch._dynamo.graph_break()
    return x.sin()

def whole(x):
    return x.sin()

def symptom(device):
    return observe(broken, [(torch.ones(3, device=device),)], backend="eager")

def remedy(device):
    return observe(whole, [(torch.ones(3, device=device),)], backend="eager")

def shows(report):
    return bool(report.graph_breaks)
"""


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="the programs need torch")
def test_record_does_all_that_a_case_needs_and_stops_where_it_disagrees(tmp_path, write_case, warm):
    """Each step is shown as the command that it is; an undeclared limit ends them."""
    head = 'import torch\nf = torch.compile(lambda parts: sum(parts), backend="eager")\n'
    before = f"{head}assert f is None"
    body = page_with_example(before, f"{head}y = f([torch.ones(3), torch.ones(3)])")
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "one", body=body, proof=BREAKS)
    done = run("record", "one", "--catalog", str(catalog))
    steps = [line.split()[4] for line in done.stdout.splitlines() if line.startswith("$ ")]
    assert (done.returncode, steps) == (1, ["run", "examples", "examples", "soak"]), done.stdout
    assert "recorded one torch-" in done.stdout and "1 undeclared" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="the programs need torch")
def test_a_soak_is_recorded_once(tmp_path, write_case, warm):
    """What does not hold is no surprise once the page declares it."""
    head = 'import torch\nf = torch.compile(lambda parts: sum(parts), backend="eager")\n'
    body = page_with_example(head, f"{head}y = f([torch.ones(3), torch.ones(3)])")
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "guards", "one", body=body)
    done = run("soak", "--catalog", str(catalog), "--record")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "items: each new number of items compiles; calls," in done.stdout
    assert "1 undeclared\nrecorded one torch-" in done.stdout
    again = run("soak", "--catalog", str(catalog), "--record")
    assert (again.returncode, again.stdout) == (0, "nothing to run\n")
    write_case(catalog, "guards", "one", body=body, limits={"items": "each new number compiles"})
    named = run("soak", "one", "--catalog", str(catalog))
    assert named.returncode == 0 and "items compiles (declared); calls" in named.stdout
    assert run("soak", "--stale", "--catalog", str(catalog)).stdout == "nothing to run\n"
    write_case(catalog, "guards", "one", body=body.replace("ones(3)", "ones(4)"))
    changed = run("soak", "--stale", "--catalog", str(catalog))
    assert "1 undeclared" in changed.stdout
