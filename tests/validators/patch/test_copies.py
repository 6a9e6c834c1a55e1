"""Copies of a user's folder, and files that are written with a backup."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from validators.diagnose.target.spec import parse_spec
from validators.errors import CasebookError
from validators.patch.overlay import overlaid
from validators.patch.writing import write

SHOW = "import importlib, sys; sys.path[:0] = sys.argv[2:]; importlib.import_module(sys.argv[1])"


@pytest.fixture
def folder(tmp_path):
    """A package with a relative import, data, and a model that uses both."""
    package = tmp_path / "src" / "pack"
    (package / "deep").mkdir(parents=True)
    for name in ("__init__.py", "deep/__init__.py"):
        (package / name).write_text("")
    (package / "deep" / "layers.py").write_text("from ..names import KIND\nprint(KIND, 'old')\n")
    (package / "names.py").write_text("KIND = 'kind'\n")
    (package / "model.py").write_text("from .deep import layers\ndef example(): pass\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "weights.bin").write_bytes(b"w")
    return tmp_path


def imported(spec, module: str) -> str:
    """What importing a module prints, with the paths of a target."""
    command = [sys.executable, "-c", SHOW, module, *spec.paths]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=spec.folder
    ).stdout


@pytest.mark.parametrize("target", ["src/pack/model.py:example", "pack.model:example"])
def test_a_package_runs_with_a_file_changed(folder, target):
    """Relative imports find the changed file, also where the package is not in the folder itself.

    The user's folder stays as it is.
    """
    spec = parse_spec(target, folder)
    layers = folder / "src" / "pack" / "deep" / "layers.py"
    before = layers.read_text()
    with overlaid(spec, {layers: before.replace("old", "new").encode()}) as copy:
        assert imported(copy, "pack.model") == "kind new\n"
        assert copy.folder == folder
        assert (Path(copy.paths[0]) / "data" / "weights.bin").read_bytes() == b"w"
        if copy.file:
            assert not copy.file.is_symlink() and not copy.file.is_relative_to(folder)
    assert not Path(copy.paths[0]).exists()
    assert layers.read_text() == before


def test_backups_are_never_overwritten(tmp_path):
    """The second change of a file keeps the first backup."""
    file = tmp_path / "model.py"
    file.write_bytes(b"one")
    file.chmod(0o640)
    assert write({file: (b"one", b"two")}) == {file: tmp_path / "model.py.orig"}
    assert write({file: (b"two", b"three")}) == {file: tmp_path / "model.py.orig.1"}
    held = {it.name: it.read_bytes() for it in tmp_path.iterdir()}
    assert held == {"model.py": b"three", "model.py.orig": b"one", "model.py.orig.1": b"two"}
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_file_that_changed_meanwhile_is_refused(tmp_path):
    """Nothing of the user's is lost."""
    file = tmp_path / "model.py"
    file.write_bytes(b"mine")
    with pytest.raises(CasebookError, match="changed while its fix was verified"):
        write({file: (b"one", b"two")})
    assert [it.read_bytes() for it in tmp_path.iterdir()] == [b"mine"]


def test_a_file_that_is_read_only_is_refused(tmp_path):
    """It can be replaced all the same, which its owner does not expect."""
    file = tmp_path / "model.py"
    file.write_bytes(b"one")
    file.chmod(0o444)
    with pytest.raises(CasebookError, match="read-only; make it writable"):
        write({file: (b"one", b"two")})
    assert [it.read_bytes() for it in tmp_path.iterdir()] == [b"one"]


def test_a_link_out_of_the_folder_leads_to_the_file(tmp_path):
    """Its real file is changed, and the link stays."""
    there, here = tmp_path / "there", tmp_path / "here"
    there.mkdir()
    here.mkdir()
    (there / "real.py").write_text("a = 1\n")
    (here / "model.py").symlink_to(there / "real.py")
    spec = parse_spec("model.py:example", here)
    with overlaid(spec, {there / "real.py": b"a = 2\n"}) as copy:
        assert copy.file is not None and copy.file.read_text() == "a = 2\n"
    assert spec.root == there


def test_an_interruption_restores_all_files(tmp_path, monkeypatch):
    """Either all files are changed or none."""
    files = [tmp_path / "a.py", tmp_path / "b.py"]
    for it in files:
        it.write_bytes(b"old")
    real = Path.replace

    def interrupted(path, target):
        if target == files[1] and path.read_bytes() == b"new":
            raise KeyboardInterrupt
        return real(path, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(dict.fromkeys(files, (b"old", b"new")))
    assert [it.read_bytes() for it in files] == [b"old", b"old"]
    assert not list(tmp_path.glob(".*"))
