"""An installed casebook: everything in one package, and no checkout around it."""

from __future__ import annotations

import fnmatch
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.world import name_casebook
from validators import __version__
from validators.files import ROOT

Ran = subprocess.CompletedProcess[str]
WHEEL = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"][
    "wheel"
]
THEIRS = "def email(text):\n    return '@' in text\n"
FOR_CHECKOUTS = (
    ["new", "graph_breaks", "some_case"],
    ["new-entry", "some-entry"],
    ["draft-entry", "--from", "a", "--to", "b"],
    ["check"],
    ["merge", "."],
    ["models"],
    ["eval"],
    ["bisect"],
    ["skills", "build"],
    ["skills", "check"],
    ["run", "print_in_forward", "--record"],
    ["examples", "--record"],
    ["soak", "--record"],
    ["families", "--python", "p", "--record"],
)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the distribution `validators`, into which the wheel is laid."""
    folder = tmp_path_factory.mktemp("site-packages")
    (folder / "validators").mkdir()
    (folder / "validators" / "__init__.py").write_text(THEIRS)
    for name in WHEEL["only-include"]:
        place = WHEEL["sources"].get(name, name)
        shutil.copytree(ROOT / name, folder / place, ignore=_left_out)
    return folder


def _left_out(folder: str, names: list[str]) -> set[str]:
    """What the wheel leaves out of a folder."""
    paths = {name: Path(folder, name).relative_to(ROOT).as_posix() for name in names}
    patterns = ["*__pycache__", *WHEEL["exclude"]]
    return {
        name
        for name, path in paths.items()
        if any(fnmatch.fnmatch(path, pattern) for pattern in patterns)
    }


@pytest.fixture
def casebook(packages: Path, tmp_path: Path, unmeasured: dict[str, str]) -> Callable[..., Ran]:
    """Runs the command in an empty folder, as its entry point does."""
    env = {**unmeasured, "PYTHONPATH": str(packages), "HOME": str(tmp_path / "home")}

    def run(*words: str, code: str = "") -> Ran:
        start = "import sys; sys.argv[0] = 'casebook'; from torch_compile_casebook import main"
        command = [sys.executable, "-c", code or f"{start}; main()", *words]
        (tmp_path / "empty").mkdir(exist_ok=True)
        return subprocess.run(
            command, capture_output=True, text=True, env=env, cwd=tmp_path / "empty"
        )

    return run


def test_the_version_is_said(casebook):
    """As in a checkout."""
    done = casebook("--version")
    assert done.stdout.startswith(f"torch-compile-casebook {__version__}, "), done.stderr


def test_the_other_distribution_stays(casebook):
    """Nothing of ours is named `validators` outside of our package."""
    done = casebook(code="import validators; print(validators.email('a@b'))")
    assert done.stdout == "True\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "hit config.recompile_limit"], "More: casebook show recompile_limit"),
        (["show", "GB0059"], "casebook show "),
        (["show", "print_in_forward"], "Run it: casebook run print_in_forward"),
        (["list", "--area", "numerics"], "low_precision_against_float64"),
        (["status", "--area", "numerics"], "CUDA: of "),
        (["families", "GB0170"], "tensor_dependent_if_in_rotary"),
        (["schema", "match"], "MatchOutput"),
        (["skills", "status"], "`casebook skills add` adds them"),
        (["diagnose", "--help"], "casebook diagnose model.py:example"),
    ],
)
def test_what_users_need_works_anywhere(casebook, words, said):
    """And names itself as the user does."""
    done = casebook(*words)
    assert said in done.stdout, done.stderr
    assert "python -m validators" not in done.stdout


@pytest.mark.parametrize("words", FOR_CHECKOUTS, ids=" ".join)
def test_what_works_on_the_casebook_itself_says_so(casebook, words):
    """In one sentence; an installation is only read."""
    done = casebook(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.endswith("in a checkout\n")
    assert done.stderr.count("\n") == 1


def test_a_checkout_in_the_working_directory_is_what_is_meant(casebook, tmp_path, write_case):
    """Whoever works on a casebook sees that one."""
    catalog = tmp_path / "empty" / "playbooks" / "catalog"
    write_case(catalog, "graph_breaks", "one_of_mine")
    name_casebook(catalog)
    assert casebook("list").stdout.startswith("one_of_mine ")


def test_a_folder_of_that_name_alone_is_not_a_casebook(casebook, tmp_path):
    """Others have a folder `playbooks`, too."""
    (tmp_path / "empty" / "playbooks" / "catalog").mkdir(parents=True)
    assert len(casebook("list").stdout.splitlines()) > 400


@pytest.mark.slow
def test_a_claim_is_decided_and_the_evidence_kept(casebook, tmp_path):
    """In the user's own folder; the page lies in the package."""
    done = casebook("run", "print_in_forward", "--python", sys.executable)
    assert done.returncode == 0, done.stderr
    kept = tmp_path / "home" / ".local" / "share" / "torch-compile-casebook" / "evidence"
    assert (kept / "verdicts" / "print_in_forward.json").exists()
    assert "confirmed" in casebook("show", "print_in_forward").stdout


def test_the_skills_are_those_of_the_checkout(casebook, tmp_path):
    """Byte for byte, made anew from what is installed; then they are gone."""
    assert casebook("skills", "add", "--client", "claude").returncode == 0
    added = tmp_path / "empty" / ".claude" / "skills"
    for file in (ROOT / "skills").rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts and file.parent.name != "skills":
            place = file.relative_to(ROOT / "skills")
            assert (added / place).read_bytes() == file.read_bytes(), place
    assert casebook("skills", "status").stdout.count(": current\n") == 6
    assert casebook("skills", "remove").returncode == 0
    assert list((tmp_path / "empty").iterdir()) == []
