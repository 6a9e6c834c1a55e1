"""Evidence files of any content: records, or problems with their lines, and nothing is lost."""

from __future__ import annotations

import datetime
import json
import multiprocessing
import os
import re
import signal
import time

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from validators.environment import Fingerprint, column_of
from validators.errors import CasebookError
from validators.evidence import append, is_current, load_evidence, merge, store
from validators.evidence.figures import figure_text, figures, fill, stray_marks
from validators.evidence.record import Record, same_but_noise
from validators.evidence.store import read_records

COLUMNS = ["torch-2.13.0-cpu", "torch-2.14.0-h200"]
FILE = f"{COLUMNS[0]}.jsonl"
each_example = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

NUMBERS = st.integers() | st.floats(allow_nan=False) | st.integers(10**18, 10**40)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
DAYS = st.dates().map(str)


@pytest.fixture
def line(make_record) -> bytes:
    """A valid line."""
    return msgspec.json.encode(make_record("one", reason="é"))


@pytest.fixture
def records(make_record):
    """A strategy for records of few cases and columns, told apart by their reasons."""
    return st.builds(
        lambda case, column, **fields: make_record(case, column=column, **fields),
        st.sampled_from("abc"),
        st.sampled_from(COLUMNS),
        reason=st.sampled_from(["", "x", "y"]),
        verdict=st.sampled_from(["confirmed", "refuted", "skipped", "unstable"]),
        date=st.sampled_from(["2026-01-01", "2026-01-02"]),
        seconds=st.sampled_from([1.0, 2.0]),
    )


@pytest.fixture
def fresh(tmp_path):
    """A function that empties and returns a folder."""

    def make(name="evidence"):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        return folder

    return make


def contents(folder) -> dict[str, bytes]:
    """The bytes of every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def usable(folder, raw: bytes) -> list[Record]:
    """The records of a file of these bytes, after all that reads records has read them."""
    file = folder / FILE
    file.write_bytes(raw)
    found, problems = read_records(file)
    for problem in problems:
        assert problem.path == file and 1 <= problem.line <= raw.count(b"\n") + 1
        assert str(problem).isprintable() and problem.message.endswith("run the case again")
    damaged = []
    evidence = load_evidence(folder, damaged=damaged)
    assert damaged == problems
    for (case, column), record in evidence.items():
        assert case.isidentifier() and re.fullmatch(r"[\w.!-]+", column, re.ASCII)
        datetime.date.fromisoformat(record.date)
        column_of(record.fingerprint)
        record.verdict and figure_text(evidence, case, "seconds", column)
        assert same_but_noise(record, record)
    if problems:
        with pytest.raises(CasebookError, match="is not a record"):
            load_evidence(folder)
    return [record for _, record in found]


@each_example
@given(raw=st.binary() | st.lists(JSON).map(lambda a: "\n".join(map(json.dumps, a)).encode()))
@example(raw=b"[" * 100_000 + b"\n")
@example(raw=b'{"case":' * 100_000 + b"\n")
@example(raw=b"\0" * 10_000 + b"\n")
@example(raw=b'{"seconds": 1e400, "repeats": ' + b"9" * 10_000 + b"}\n")
def test_any_bytes_are_records_or_problems(fresh, line, raw):
    """Whatever stands in a file, the sound lines around it are read."""
    assert usable(fresh(), raw) == []
    (record,) = usable(fresh(), raw + b"\n" + line)
    assert record.case == "one"


@each_example
@given(name=st.sampled_from(Record.__struct_fields__), value=JSON | DAYS)
@example(name="case", value="../../x")
@example(name="case", value="one\n")
@example(name="column", value="torch-2.13.0-../x")
@example(name="column", value="/etc/x")
@example(name="date", value="2026-13-45")
@example(name="date", value="2026-02-30")
def test_a_line_with_another_value_is_a_record_or_a_problem(fresh, line, name, value):
    """A hand-edited field is refused or can be read by all that reads records."""
    data = json.loads(line)
    usable(fresh(), json.dumps({**data, name: value}).encode() + b"\n")
    del data[name]
    usable(fresh(), json.dumps(data).encode() + b"\n")


@each_example
@given(part=st.sampled_from(Fingerprint.__struct_fields__))
def test_a_fingerprint_with_another_text_has_a_column(fresh, line, part):
    """A version or a name that no build has is shown, not choked on."""
    data = json.loads(line)
    for text in ("", "unknown", "2.13.0a0+gitabc", "2.11.0.dev20260101+cu130", "9" * 5000, "/x\0"):
        data["fingerprint"][part] = {} if part == "variables" else text
        (record,) = usable(fresh(), json.dumps(data).encode() + b"\n")
        assert record.fingerprint.torch or part == "torch"


@pytest.mark.parametrize("place", ["/dev/zero", "catalog/../../x", "a\0b", "x" * 5000, "", "/"])
def test_a_module_of_any_name_makes_a_record_stale(tmp_path, write_case, make_record, place):
    """What cannot be read is not what it was; nothing is waited for."""
    from validators.catalog import load_catalog

    write_case(tmp_path, "guards", "one")
    (case,) = load_catalog(tmp_path).cases
    assert not is_current(case, make_record(case, modules={place: "0"}), tmp_path)


def test_a_report_of_any_depth_is_kept_or_refused(fresh, line, make_record):
    """Near the depth that Python's stack bears, too, a merge ends well or in a sentence."""
    for depth in (10, 400, *range(700, 1000, 3), 5000):
        data = json.loads(line) | {"symptom": {"x": "DEEP"}}
        raw = json.dumps(data).encode().replace(b'"DEEP"', b"[" * depth + b"]" * depth) + b"\n"
        folder = fresh()
        (folder / FILE).write_bytes(raw)
        if depth in (10, 400, 5000):  # between them it depends on the caller's own depth
            usable(folder, raw)
        for name, more in (("two", {}), ("one", {"symptom": {"x": []}})):
            before = contents(folder)
            try:
                assert merge(folder, [make_record(name, **more)])
            except CasebookError:
                assert contents(folder) == before


@each_example
@given(cut=st.integers(0, 10**9), data=st.binary())
def test_append_keeps_every_line_before_it(fresh, make_record, cut, data):
    """However a file ends, its finished lines stay byte for byte and the new one is a line."""
    folder = fresh()
    for name in ("one", "two"):
        append(folder, make_record(name))
    file = folder / FILE
    whole = file.read_bytes() + data
    file.write_bytes(whole[: cut % (len(whole) + 1)])
    before, known = file.read_bytes(), load_evidence(folder, damaged=[])
    append(folder, make_record("three"))
    after = file.read_bytes()
    finished = before[: before.rfind(b"\n") + 1]
    assert after.startswith(finished)
    line = msgspec.json.encode(make_record("three"), order="deterministic")
    assert after.split(b"\n")[-2:] == [line, b""]
    assert load_evidence(folder, damaged=[]) == {
        **known,
        ("three", COLUMNS[0]): make_record("three"),
    }


@each_example
@given(data=st.data())
def test_merge_is_idempotent_and_keeps_the_rest(fresh, records, data):
    """A second time changes no byte; nothing that was not named is lost, nor moved."""
    folder = fresh()
    for record in data.draw(st.lists(records)):
        append(folder, record)
    before, known = contents(folder), load_evidence(folder)
    news = data.draw(st.lists(records, unique_by=lambda r: (r.case, r.column)))
    changed = merge(folder, news)
    after, found = contents(folder), load_evidence(folder)
    assert merge(folder, news) == [] and contents(folder) == after
    told = {(r.case, r.column): r for r in changed}
    assert found == {**known, **told}
    columns = {record.column for record in changed}
    for name, raw in before.items():
        assert after[name] == raw or name.removesuffix(".jsonl") in columns
    for case, column in ((r.case, r.column) for r in news if r not in changed):
        old, new = (
            known[case, column],
            next(r for r in news if (r.case, r.column) == (case, column)),
        )
        assert same_but_noise(old, new) or new.verdict == "skipped"


@each_example
@given(data=st.data())
def test_merge_of_different_cases_has_no_order(fresh, records, data):
    """Records of different cases or columns may come in any order, together or apart."""
    one, other = fresh("one"), fresh("other")
    for record in data.draw(st.lists(records)):
        append(one, record)
        append(other, record)
    news = data.draw(st.lists(records, unique_by=lambda r: (r.case, r.column)))
    merge(one, news)
    for record in data.draw(st.permutations(news)):
        merge(other, [record])
    assert contents(one) == contents(other)


def test_merge_into_a_damaged_file_changes_nothing(fresh, make_record):
    """The line may hold evidence that nobody has elsewhere; no other column is written first."""
    folder = fresh()
    append(folder, make_record("one"))
    file = folder / FILE
    file.write_bytes(file.read_bytes() + b"damage\n")
    before = contents(folder)
    with pytest.raises(CasebookError, match=r"jsonl:2: is not a record"):
        merge(folder, [make_record("two", torch="2.12.0"), make_record("two")])
    assert contents(folder) == before
    assert merge(folder, [make_record("two", torch="2.12.0")])


def test_merge_keeps_a_record_that_stands_in_the_wrong_file(fresh, make_record):
    """`check` names it; a merge must not be what loses it."""
    folder = fresh()
    stray = make_record("stray", column=COLUMNS[1])
    (folder / FILE).write_bytes(msgspec.json.encode(stray) + b"\n")
    merge(folder, [make_record("one")])
    assert set(load_evidence(folder)) == {("stray", COLUMNS[1]), ("one", COLUMNS[0])}


def _write(folder, start: int, count: int, make) -> None:
    for number in range(start, start + count):
        append(folder, make(f"case_{number}"))
        for _ in range(3):
            append(folder, make("shared", seconds=float(number)))


def test_processes_that_append_while_the_file_is_compacted_lose_nothing(
    fresh, make_record, monkeypatch
):
    """Each waits for its turn, and notices that the file was replaced meanwhile."""
    folder = fresh()
    monkeypatch.setattr(store, "COMPACT_BYTES", 2000)
    fork = multiprocessing.get_context("fork")
    workers = [
        fork.Process(target=_write, args=(folder, 100 * i, 40, make_record)) for i in range(6)
    ]
    for worker in workers:
        worker.start()
    seen: set = set()
    while any(worker.is_alive() for worker in workers):
        before, seen = seen, {case for case, _ in load_evidence(folder)}
        assert before <= seen
    found = load_evidence(folder)
    expected = {f"case_{100 * i + n}" for i in range(6) for n in range(40)} | {"shared"}
    assert {case for case, _ in found} == expected
    assert [path.name for path in folder.iterdir()] == [FILE]


def test_a_writer_that_is_killed_leaves_whole_lines(fresh, make_record, monkeypatch):
    """Wherever `kill -9` strikes, what was appended before it is read, by writers and readers."""
    folder = fresh()
    monkeypatch.setattr(store, "COMPACT_BYTES", 3000)
    fork = multiprocessing.get_context("fork")
    for start in range(0, 10_000, 1000):
        worker = fork.Process(target=_write, args=(folder, start, 1000, make_record))
        worker.start()
        deadline = time.monotonic() + 10
        while not (folder / FILE).exists() and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.003)
        before = load_evidence(folder)
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        assert before.keys() <= load_evidence(folder).keys()
    append(folder, make_record("last"))
    assert ("last", COLUMNS[0]) in load_evidence(folder)


def test_a_file_is_compacted_when_most_of_it_is_outdated(fresh, make_record, monkeypatch):
    """A case that runs for ever takes bounded room; a damaged line keeps its file from it."""
    folder = fresh()
    monkeypatch.setattr(store, "COMPACT_BYTES", 20_000)
    for number in range(200):
        append(folder, make_record("one", seconds=float(number)))
    file = folder / FILE
    assert file.stat().st_size < 40_000
    assert load_evidence(folder)["one", COLUMNS[0]].seconds == 199.0
    file.write_bytes(b"damage\n" + file.read_bytes())
    for number in range(200):
        append(folder, make_record("one", seconds=float(number)))
    assert file.read_bytes().startswith(b"damage\n")
    assert file.stat().st_size > 100_000


@each_example
@given(value=JSON, text=st.text())
@example(value="<!-- /figure -->", text="")
@example(value="a\nb <!-- figure x y z -->", text="")
@example(value=10**400, text="")
def test_figures_that_were_set_stay_set(make_record, value, text):
    """Whatever a report holds, what is written between the marks is found there again."""
    record = make_record("one", symptom={"facts": {"x": value}})
    evidence = {(record.case, record.column): record}
    figure = f"<!-- figure one symptom.facts.x {record.column} -->0<!-- /figure -->"
    filled = fill(f"{figure}{text.replace('<!--', '')}\n{figure}", evidence)
    assert fill(filled, evidence) == filled
    assert list(stray_marks(filled)) == []
    try:
        said = figure_text(evidence, "one", "symptom.facts.x", record.column)
    except KeyError:
        said = "0"
    assert [found.value for found in figures(filled)] == [said, said]


def test_a_file_that_cannot_be_rewritten_is_appended_to(fresh, make_record, monkeypatch):
    """Growing files cost room, never a record; a merge that fails leaves nothing behind."""
    folder = fresh()
    monkeypatch.setattr(store, "COMPACT_BYTES", 2000)
    (folder / FILE).with_suffix(".tmp").mkdir()
    for number in range(20):
        append(folder, make_record("one", seconds=float(number)))
    assert (folder / FILE).read_bytes().count(b"\n") == 20
    with pytest.raises(IsADirectoryError):
        merge(folder, [make_record("two")])
    (folder / FILE).with_suffix(".tmp").rmdir()
    monkeypatch.setattr(
        store.Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "full"))
    )
    with pytest.raises(OSError, match="full"):
        merge(folder, [make_record("two")])
    assert [path.name for path in folder.iterdir()] == [FILE]
