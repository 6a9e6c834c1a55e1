"""Evidence of any content: records, or problems with their files, and nothing is lost."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from validators.environment import Fingerprint, column_of
from validators.errors import CasebookError
from validators.evidence import load_evidence, merge, same_but_noise, write_record
from validators.evidence.figures import figure_text, figures, fill, stray_marks
from validators.evidence.stored.files import Line
from validators.evidence.stored.record import quiet
from validators.evidence.stored.store import reports_file, verdicts_file

COLUMNS = ["torch-2.13.0-cpu", "torch-2.14.0-h200"]
each_example = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
some_examples = settings(each_example, max_examples=20)
"""For what writes many files an example."""

NUMBERS = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
REPORTS = st.none() | st.dictionaries(
    st.sampled_from(["ops", "facts", "graphs", "times", "memory"]), JSON.filter(bool)
)


@pytest.fixture
def records(make_record):
    """A strategy for records of few cases and columns, told apart by reasons and reports."""
    return st.builds(
        lambda case, column, **fields: make_record(case, column=column, **fields),
        st.sampled_from("abc"),
        st.sampled_from(COLUMNS),
        reason=st.sampled_from(["", "x"]),
        verdict=st.sampled_from(["confirmed", "refuted", "skipped", "unstable"]),
        symptom=st.sampled_from([None, {"ops": 1}, {"ops": 2}, {"ops": 2, "times": {"t": [1.0]}}]),
        digest=st.sampled_from(["0", "1"]),
        cpu_seconds=st.sampled_from([0, 1, 2]),
    )


@pytest.fixture
def fresh(tmp_path):
    """A function that empties and returns a folder."""

    def make(name="evidence"):
        shutil.rmtree(tmp_path / name, ignore_errors=True)
        (tmp_path / name).mkdir()
        return tmp_path / name

    return make


def contents(folder) -> dict[str, bytes]:
    """The bytes of every file below a folder, by their places."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def usable(folder) -> None:
    """Have all that reads records read a folder's; what it cannot read is named."""
    damaged = []
    evidence = load_evidence(folder, damaged, whole=True)
    for problem in damaged:
        assert problem.path.is_relative_to(folder)
        assert str(problem).isprintable() and problem.message.endswith("run the case again")
    for (case, column), record in evidence.items():
        assert case.isidentifier() and re.fullmatch(r"[\w.!-]+", column, re.ASCII)
        column_of(record.fingerprint)
        figure_text(evidence, case, "verdict", column)
        assert same_but_noise(record, record)
    if damaged:
        with pytest.raises(CasebookError):
            load_evidence(folder, whole=True)


@some_examples
@given(symptom=REPORTS, remedy=REPORTS)
def test_any_report_survives_the_round_trip(fresh, make_record, symptom, remedy):
    """Also where both arms saw the same, or nothing; the noise comes back with its own column."""
    folder = fresh()
    other = {"ops": 1, "times": {"t": [2.0]}}
    made = [
        make_record("one", symptom=symptom, remedy=remedy),
        make_record("one", torch="2.14.0", symptom=symptom and quiet(symptom), remedy=other),
    ]
    for record in made:
        write_record(folder, record)
    assert list(load_evidence(folder, whole=True).values()) == made
    before = contents(folder)
    assert merge(folder, made) == []
    assert contents(folder) == before


@each_example
@given(raw=st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
@example(raw=b'{"code":' * 100_000)
@example(raw=b"\0" * 10_000)
@example(raw=b'{"code": {}, "columns": {"a": {"repeats": ' + b"9" * 10_000 + b"}}}")
def test_any_bytes_are_evidence_or_a_problem(fresh, make_record, raw):
    """Whatever stands in a file, the other cases are read."""
    folder = fresh()
    for name in ("one", "two"):
        write_record(folder, make_record(name))
    for file in (verdicts_file(folder, "one"), reports_file(folder, "one")):
        file.write_bytes(raw)
        usable(folder)
        assert ("two", COLUMNS[0]) in load_evidence(folder, [], whole=True)


@each_example
@given(name=st.sampled_from(Line.__struct_fields__), value=JSON)
@example(name="symptom", value="../../x")
@example(name="environment", value="../../x")
def test_a_line_with_another_value_is_a_record_or_a_problem(fresh, make_record, name, value):
    """A hand-edited field is refused or can be read by all that reads records."""
    folder = fresh()
    write_record(folder, make_record("one"))
    file = verdicts_file(folder, "one")
    data = json.loads(file.read_bytes())
    data["columns"][COLUMNS[0]][name] = value
    file.write_text(json.dumps(data))
    usable(folder)
    del data["columns"][COLUMNS[0]][name]
    file.write_text(json.dumps(data))
    usable(folder)


@pytest.mark.parametrize("column", ["torch-2.13.0-../x", "/etc/x", "torch", "torch-2-cpu\n", ""])
def test_a_column_is_called_as_columns_are(fresh, make_record, column):
    """Its name becomes a folder's and a page's."""
    folder = fresh()
    write_record(folder, make_record("one"))
    file = verdicts_file(folder, "one")
    file.write_text(file.read_text().replace(COLUMNS[0], json.dumps(column)[1:-1]))
    if "/" not in column and column:
        (folder / "environments" / COLUMNS[0]).rename(folder / "environments" / column)
    usable(folder)
    assert load_evidence(folder, []) == {}


@each_example
@given(part=st.sampled_from([it.name for it in dataclasses.fields(Fingerprint)]))
def test_a_fingerprint_with_another_text_has_a_column(fresh, make_record, part):
    """A version or a name that no build has is shown, not choked on."""
    folder = fresh()
    write_record(folder, make_record("one"))
    (file,) = (folder / "environments").glob("*/*.json")
    data = json.loads(file.read_bytes())
    for text in ("", "unknown", "2.13.0a0+gitabc", "2.11.0.dev20260101+cu130", "9" * 5000, "/x\0"):
        file.write_text(json.dumps({**data, part: {} if part == "variables" else text}))
        usable(folder)
        assert len(load_evidence(folder)) == 1


def test_a_report_of_any_depth_is_kept_or_refused(fresh, make_record):
    """Near the depth that Python's stack bears, too, a merge ends well or in a sentence."""
    for depth in (10, 400, *range(700, 1000, 30), 5000):
        folder = fresh()
        write_record(folder, make_record("one", symptom={"x": "DEEP"}))
        file = reports_file(folder, "one")
        file.write_bytes(file.read_bytes().replace(b'"DEEP"', b"[" * depth + b"]" * depth))
        if depth in (10, 400, 5000):  # between them it depends on the caller's own depth
            usable(folder)
        for name, more in (("two", {}), ("one", {"symptom": {"x": []}})):
            before = contents(folder)
            try:
                assert merge(folder, [make_record(name, **more)])
            except CasebookError:
                assert contents(folder) == before


@some_examples
@given(data=st.data())
def test_merge_is_idempotent_and_keeps_the_rest(fresh, records, data):
    """A second time changes no byte; nothing that was not named is lost, nor touched."""
    folder = fresh()
    for record in data.draw(st.lists(records, max_size=4)):
        write_record(folder, record)
    before, known = contents(folder), load_evidence(folder, whole=True)
    news = data.draw(st.lists(records, max_size=4, unique_by=lambda r: (r.case, r.column)))
    changed = merge(folder, news)
    after, found = contents(folder), load_evidence(folder, whole=True)
    assert merge(folder, news) == [] and contents(folder) == after
    assert found == {**known, **{(r.case, r.column): r for r in changed}}
    cases = {record.case for record in changed}
    for name, raw in before.items():
        assert after.get(name) == raw or re.split(r"[/.]", name)[-2] in cases
    for new in (record for record in news if record not in changed):
        old = known[new.case, new.column]
        assert same_but_noise(old, new) or new.verdict == "skipped"


@some_examples
@given(data=st.data())
def test_merge_of_different_cases_has_no_order(fresh, records, data):
    """Records of different cases or columns may come in any order, together or apart."""
    one, other = fresh("one"), fresh("other")
    for record in data.draw(st.lists(records, max_size=4)):
        write_record(one, record)
        write_record(other, record)
    news = data.draw(st.lists(records, max_size=4, unique_by=lambda r: (r.case, r.column)))
    merge(one, news)
    for record in data.draw(st.permutations(news)):
        merge(other, [record])
    assert contents(one) == contents(other)


@some_examples
@given(data=st.data())
def test_files_hold_what_records_name_and_no_more(fresh, records, data):
    """After any writes, each report and each digest that a case's files hold is some record's."""
    folder = fresh()
    for record in data.draw(st.lists(records, min_size=1, max_size=5)):
        write_record(folder, record)
    for file in (folder / "verdicts").iterdir():
        held = json.loads(file.read_bytes())
        lines = held["columns"].values()
        assert set(held["code"]) == {line["digest"] for line in lines}
        named = {line[arm] for line in lines for arm in ("symptom", "remedy") if arm in line}
        assert set(json.loads(reports_file(folder, file.stem).read_bytes())["reports"]) == named


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
