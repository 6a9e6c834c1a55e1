"""Which files a run reads."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import torch

from validators.inspector.loading.opened import opened


def names(found):
    """The names of the files that were read."""
    return [Path(it).name for it in found.files()]


def test_what_is_read_is_noted_once(tmp_path, monkeypatch):
    """By whatever opens it, by a path relative to the current folder at that time."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt", "c.bin", "late.txt"):
        (tmp_path / name).write_bytes(b"1234")
    with opened() as found:
        for _ in range(2):
            Path("a.txt").read_text()
        os.close(os.open("b.txt", os.O_RDONLY))
        torch.UntypedStorage.from_file(str(tmp_path / "c.bin"), False, 4)
        monkeypatch.chdir("/")
    (tmp_path / "late.txt").read_text()
    assert found.files() == [str(tmp_path / it) for it in ("a.txt", "b.txt", "c.bin")]


def test_what_a_run_makes_itself_is_not_noted(tmp_path):
    """Nor what it only writes, nor what is gone."""
    (tmp_path / "appended").write_text("")
    (tmp_path / "gone").write_text("")
    with opened() as found:
        (tmp_path / "made").write_text("")
        (tmp_path / "made").read_text()
        (tmp_path / "appended").open("a").close()
        (tmp_path / "gone").read_text()
        (tmp_path / "gone").unlink()
    assert names(found) == []


def test_installed_files_and_ours_are_not_noted():
    """Nor Python's, nor the system's."""
    with opened() as found:
        for it in (torch.__file__, os.__file__, opened.__wrapped__.__code__.co_filename):
            Path(it).read_bytes()
        Path("/proc/self/status").read_bytes()
    assert found.files() == []


def test_a_module_that_is_already_compiled_is_noted_by_its_source(tmp_path, monkeypatch):
    """Python reads only its bytecode."""
    (tmp_path / "kept_as_bytecode.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    importlib.import_module("kept_as_bytecode")
    del sys.modules["kept_as_bytecode"]
    with opened() as found:
        importlib.import_module("kept_as_bytecode")
    assert names(found) == ["kept_as_bytecode.py"]
