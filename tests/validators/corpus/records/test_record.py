"""Records of real models."""

from __future__ import annotations

import msgspec

from tests.corpus import COLUMN, graph_break
from tests.schemas import valid
from validators.corpus.records.record import differences, load_records, record_file, steady


def test_a_record_is_read_as_written(corpus):
    """And fits the schema."""
    record = corpus.record(graph_break())
    assert load_records(corpus.evidence) == ({("net", COLUMN): record}, [])
    valid("model_record", msgspec.json.encode(record).decode())


def test_a_damaged_record_is_named(corpus):
    """The others are read."""
    corpus.record()
    record_file(corpus.evidence, "net", "torch-2.9.1-cpu").write_text("{}")
    records, (problem,) = load_records(corpus.evidence)
    assert len(records) == 1
    assert "cannot be read" in problem.message


def test_a_record_in_another_place_is_named(corpus):
    """A copy under another model's name is no record of it."""
    corpus.record()
    there = record_file(corpus.evidence, "other", COLUMN)
    there.parent.mkdir()
    there.write_bytes(record_file(corpus.evidence, "net", COLUMN).read_bytes())
    assert [it.path for it in load_records(corpus.evidence)[1]] == [there]


def test_differences_are_told(corpus):
    """Counts, places and the fix; not the texts, which differ between runs."""
    one = corpus.record(graph_break())
    assert differences(one, corpus.record(graph_break(text="other words"))) == []
    found = differences(one, corpus.record(graph_break(count=4), breaks={"graphs": 3}))
    assert found == [
        "graphs: 3, was 2",
        "site-packages/shop/model.py:7: A type: 4, was 3",
    ]
    assert differences(one, corpus.record()) == [
        "site-packages/shop/model.py:7: A type: none, was 3"
    ]


def test_recompiles_are_compared_by_place_and_kind_of_guard(corpus):
    """Runs may group them otherwise; the numbers of a guard differ from call to call."""

    def again(guard: str, count: int) -> dict:
        place = {"function": "f", "file": "m.py", "line": 3}
        return {**place, "guard": guard, "count": count, "text": ""}

    def recorded(*recompiles: dict):
        return corpus.record(breaks={"recompiles": list(recompiles)})

    one = recorded(again("x size 0. expected 4, actual 1", 2))
    two = again("x size 0. expected 4, actual 1", 1), again("x size 0. expected 1, actual 6", 1)
    assert differences(one, recorded(*two)) == []
    assert differences(one, recorded(two[0])) == [
        "m.py:3: recompiles for x size N. expected N, actual N: 1, was 2"
    ]


def test_ids_of_objects_are_left_out():
    """They differ from run to run; sizes stay."""
    told = {"guard": ["___check_obj_id(f, 94023123456789) at 0x7f12ab34cd, size 1024"]}
    assert steady(told) == {"guard": ["___check_obj_id(f, 0) at 0, size 1024"]}
