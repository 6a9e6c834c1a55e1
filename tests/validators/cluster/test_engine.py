"""What is said where an engine is missing."""

from __future__ import annotations

import sys

import pytest

from validators.cluster.engine import opened
from validators.errors import CasebookError


def test_an_engine_that_is_not_installed(tmp_path, monkeypatch):
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    message = "--engine ray: Ray is not installed; run `pip"
    with pytest.raises(CasebookError, match=message), opened("ray", tmp_path, 1):
        pass
