"""Which target a text names, and where its modules are searched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from validators.diagnose.target.spec import parse_spec


def test_modules_are_searched_where_python_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHONPATH holds, relative to the folder, and so does the layout of a project with `src`."""
    (tmp_path / "src").mkdir()
    (tmp_path / "model.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/opt/lib", "", "lib"]))
    before = (str(tmp_path), "/opt/lib", str(tmp_path / "lib"))
    assert parse_spec("model.py:example", tmp_path).paths == before
    (tmp_path / "pyproject.toml").write_text("")
    found = parse_spec("package.model:example", tmp_path).paths
    assert found == (*before, str(tmp_path / "src"))
    monkeypatch.delenv("PYTHONPATH")
    spec = parse_spec("model.py:example", tmp_path)
    assert spec.paths == (str(tmp_path), str(tmp_path / "src"))
    assert spec.root == tmp_path
