"""A user's model may import the distribution `validators` of PyPI, whose name is ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from validators.files import ROOT

FILES = {
    "__init__.py": 'from .email import email\nfrom .utils import Failure\n\n__version__ = "0.35"\n',
    "email.py": 'from .utils import Failure\n\n\ndef email(text):\n    return "@" in text\n',
    "utils.py": "class Failure(Exception):\n    pass\n",
}


@pytest.fixture
def said(tmp_path, unmeasured):
    """What a program says that has that distribution, ours, and a user's code."""
    for name, text in FILES.items():
        file = tmp_path / "validators" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def run(code: str, folder: Path = tmp_path) -> str:
        head = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nsys.path.append({str(folder)!r})\n"
        head += "from validators.inspector.loading.namesake import lend_name\n"
        head += "lend_name()\nlend_name()\n"
        command = [sys.executable, "-c", head + code]
        done = subprocess.run(command, capture_output=True, text=True, env=unmeasured, cwd="/")
        return done.stdout.strip() or done.stderr.strip().split("\n")[-1]

    return run


@pytest.mark.parametrize(
    "code",
    [
        "import validators; print(validators.email('a@b'))",
        "from validators import email; print(email('a@b'))",
        "import validators.utils; from validators import email; print(email('a@b'))",
        "from validators import Failure; import validators.errors; print(Failure() is not None)",
        "import validators; print(validators.__version__ != '0.35')",
        "import validators.email; print(validators.email('a@b'))",
    ],
)
def test_its_names_and_ours_are_found(said, code):
    """In whatever way they are imported; ours stay what they are."""
    assert said(code) == "True"


def test_a_name_that_neither_has_is_none(said, tmp_path):
    """The error is Python's, whether the environment has that distribution or not."""
    wrong = "import validators; validators.nothing"
    told = "AttributeError: module 'validators' has no attribute 'nothing'"
    assert said(wrong) == said(wrong, tmp_path / "empty") == told


def test_another_copy_of_ours_is_left_alone(said, tmp_path):
    """A second checkout must not lend its modules to this one."""
    (tmp_path / "validators" / "probes").mkdir()
    assert "has no attribute" in said("import validators; validators.email")
