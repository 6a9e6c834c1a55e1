"""What a scan tells, and what another release changes."""

from __future__ import annotations

from dataclasses import replace

from validators.silent.scan import Scan, WrongPart, lines, upgraded

POOL = WrongPart(
    kind="ops",
    ops=["avg_pool1d"],
    place="model.py:6",
    code="y = pool(x)",
    call=1,
    part="output",
    known=[],
)
TRACED = replace(POOL, kind="traced", ops=[], place="", code="")
HERE = Scan("model.py:example", "2.13.0+cpu", 5, 82, [POOL, TRACED], "")
THERE = replace(HERE, torch="2.15.0", wrong=[TRACED, replace(POOL, place="model.py:9")])


def test_another_release_has_errors_less_and_more():
    """By kind, place and ops."""
    upgrade = upgraded(HERE, THERE).upgrade
    assert upgrade.gone == [POOL]
    assert [it.place for it in upgrade.new] == ["model.py:9"]
    *_, last = lines(upgraded(HERE, THERE))
    assert last == "on torch 2.15.0, right again: model.py:6; new: 1"


def test_what_was_not_compared_is_not_gone():
    """It may be wrong there as well."""
    scan = upgraded(HERE, replace(THERE, wrong=[], undecided="call 1 raises TypeError"))
    assert scan.upgrade.gone == []
    *_, said, why = lines(scan)
    assert said == "on torch 2.15.0, right again: nothing; new: 0"
    assert why == "undecided there: call 1 raises TypeError"


def test_each_kind_has_its_words():
    """What is compiled, and what differs."""
    told = "\n".join(lines(replace(HERE, wrong=[POOL, TRACED, replace(TRACED, kind="whole")])))
    assert "model.py:6: y = pool(x)\n   avg_pool1d: wrong where only this is compiled" in told
    assert "Dynamo traces something else" in told
    assert "right where only a part of the ops is compiled; call 1: output is not" in told
    assert told.endswith("3 silent errors (5 ops; the collection has 82 errors on torch 2.13.0)")
