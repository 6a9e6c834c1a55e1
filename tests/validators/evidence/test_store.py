"""Evidence files: what was written whole is never lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from validators.errors import CasebookError
from validators.evidence import append, load_evidence, merge
from validators.evidence.store import read_records

COLUMN = "torch-2.13.0-cpu"


@pytest.fixture
def three(tmp_path, make_record):
    """A file of three records, one of them with braces and line ends in a string."""
    append(tmp_path, make_record("one"))
    append(tmp_path, make_record("two", reason='a "quoted" {brace}\n}'))
    append(tmp_path, make_record("three"))
    return tmp_path / f"{COLUMN}.jsonl"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_cut_at_any_byte_loses_no_earlier_record(three, make_record, data):
    """Where a writer is killed, the lines before stay, and the next writer goes on after them."""
    whole = three.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    try:
        three.write_bytes(whole[:cut])
        before = load_evidence(three.parent)
        # A record that lacks nothing but its newline is whole.
        assert len(before) == (
            whole[: cut + 1] if whole[cut : cut + 1] == b"\n" else whole[:cut]
        ).count(b"\n")
        append(three.parent, make_record("four"))
        after = load_evidence(three.parent)
        assert after == {**before, ("four", COLUMN): make_record("four")}
    finally:
        three.write_bytes(whole)


def test_a_cut_after_a_brace(three, make_record):
    """A line that ends like a record is unfinished; one that only lacks its newline is whole."""
    whole = three.read_bytes()
    start = whole[:-1].rfind(b"\n") + 1
    for cut in (at + 1 for at in range(start, len(whole)) if whole[at : at + 1] == b"}"):
        three.write_bytes(whole[:cut])
        append(three.parent, make_record("four"))
        names = [record.case for _, record in read_records(three)[0]]
        assert names == ["one", "two", *(["three"] if cut == len(whole) - 1 else []), "four"]


def test_writers_at_the_same_time_do_not_mix(tmp_path, make_record):
    """Each line is one record, whoever wrote beside it."""
    records = [make_record(f"case_{number}", reason="x" * 20_000) for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda record: append(tmp_path, record), records))
    assert len(load_evidence(tmp_path)) == 40


def test_a_later_line_and_a_later_folder_win(tmp_path, make_record):
    """A case that was run again has its newer record; local evidence covers the committed."""
    committed, local = tmp_path / "committed", tmp_path / "local"
    append(committed, make_record("one", date="2026-01-01"))
    append(committed, make_record("one", date="2026-01-02"))
    append(committed, make_record("two", date="2026-01-03"))
    append(local, make_record("two", date="2026-01-04"))
    evidence = load_evidence(committed, local, tmp_path / "missing")
    assert [(key[0], r.date) for key, r in evidence.items()] == [
        ("one", "2026-01-02"),
        ("two", "2026-01-04"),
    ]


@pytest.mark.parametrize("line", ["{}", "nonsense", '{"case": 1}', "\x00", "", "[]"])
def test_a_finished_line_that_is_no_record_is_named(three, line):
    """Only an unfinished last line is passed over; anything else says where it is."""
    three.write_bytes(three.read_bytes() + line.encode() + b"\n")
    with pytest.raises(CasebookError, match=rf"{COLUMN}.jsonl:4: is not a record .*; delete"):
        load_evidence(three.parent)


def test_records_survive_the_round_trip(tmp_path, make_record):
    """What is read is what was written, and equal records have equal bytes."""
    record = make_record("one", symptom={"b": [1, 2.5, None], "a": {"é": True}})
    append(tmp_path / "a", record)
    append(tmp_path / "b", msgspec.structs.replace(record, symptom=dict(record.symptom)))
    assert load_evidence(tmp_path / "a") == {("one", COLUMN): record}
    contents = [(tmp_path / folder / f"{COLUMN}.jsonl").read_bytes() for folder in "ab"]
    assert contents[0] == contents[1]


def test_merge_sorts_and_keeps_what_is_stored(tmp_path, make_record):
    """The committed file has one sorted line per case; a case that was not run keeps its own."""
    for name in ("b", "a", "b"):
        append(tmp_path, make_record(name, date="2026-01-01"))
    changed = merge(tmp_path, [make_record("c")])
    assert [record.case for record in changed] == ["c"]
    records, problems = read_records(tmp_path / f"{COLUMN}.jsonl")
    assert [record.case for _, record in records] == ["a", "b", "c"]
    assert problems == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{COLUMN}.jsonl"]


def test_merge_leaves_noise_alone(tmp_path, make_record):
    """Another day, other seconds, times and memory change no committed byte."""
    old = make_record("one", symptom={"ops": 1, "times": {"t": [1.0]}, "memory": {"m": 1}})
    append(tmp_path, old)
    before = (tmp_path / f"{COLUMN}.jsonl").read_bytes()
    noisy = {"ops": 1, "times": {"t": [2.0]}, "memory": {"m": 2}}
    new = msgspec.structs.replace(old, date="2027-01-01", seconds=9.0, symptom=noisy)
    assert merge(tmp_path, [new]) == []
    assert (tmp_path / f"{COLUMN}.jsonl").read_bytes() == before
    real = msgspec.structs.replace(new, symptom={**noisy, "ops": 2})
    assert merge(tmp_path, [real]) == [real]


def test_merge_writes_each_column_to_its_file(tmp_path, make_record):
    """A new column is a new file; the others are not touched."""
    append(tmp_path, make_record("one"))
    before = (tmp_path / f"{COLUMN}.jsonl").stat()
    merge(tmp_path, [make_record("one", torch="2.14.0")])
    assert (tmp_path / "torch-2.14.0-cpu.jsonl").exists()
    assert (tmp_path / f"{COLUMN}.jsonl").stat() == before


def test_a_skipped_case_does_not_undo_what_was_decided(tmp_path, make_record):
    """Where a need is unmet, the evidence of where it was met stays."""
    decided = make_record("one")
    skipped = msgspec.structs.replace(decided, verdict="skipped", shows={}, date="2027-01-01")
    append(tmp_path, decided)
    assert merge(tmp_path, [skipped]) == []
    assert load_evidence(tmp_path) == {("one", COLUMN): decided}


def test_the_newer_record_counts(tmp_path, make_record):
    """Evidence that was renewed elsewhere is not hidden by an older run on this machine."""
    old, new = make_record("one", date="2026-01-01"), make_record("one", date="2026-02-01")
    append(tmp_path / "committed", new)
    append(tmp_path / "local", old)
    assert load_evidence(tmp_path / "committed", tmp_path / "local") == {("one", COLUMN): new}


def test_concurrent_merges_lose_nothing(tmp_path, make_record):
    """Two runners that record at once both keep what they decided."""
    names = [f"case_{i}" for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: merge(tmp_path, [make_record(name)]), names))
    assert sorted(case for case, _ in load_evidence(tmp_path)) == names
