"""Programs of pages run as a user would run them."""

from __future__ import annotations

import sys

from validators.worker import example


def test_a_program_has_no_future_statement_of_ours(tmp_path, monkeypatch):
    """`torch.library.custom_op` of torch 2.4 reads annotations, which are types in a program."""
    monkeypatch.setattr(example, "_set_logs", lambda setting: None)
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    code = "def f(x: int): ...\nassert f.__annotations__['x'] is int"
    assert example.execute(tmp_path / example.NAME, {"code": code, "logs": ""}) is None
