"""Folders of evidence: what was written whole is never lost, and reports are shared."""

from __future__ import annotations

import dataclasses
import json
import multiprocessing
import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from validators.errors import CasebookError
from validators.evidence import load_evidence, load_records, merge, write_record
from validators.evidence.stored.files import key_of
from validators.evidence.stored.store import reports_file, verdicts_file

COLUMN = "torch-2.13.0-cpu"
TIMED = {"ops": 1, "times": {"t": [1.0]}, "memory": {"m": 1}}


def contents(folder) -> dict[str, bytes]:
    """The bytes of every file below a folder, by their places."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_records_survive_the_round_trip(tmp_path, make_record):
    """What is read is what was written, and equal records have equal bytes."""
    symptom = {"b": [1, 2.5, None], "a": {"é": True}, "times": {"t": [0.5]}, "memory": {"m": 2}}
    record = make_record(
        "one",
        symptom=symptom,
        remedy=None,
        reason='a "quoted" {brace}\n}',
        repeats=3,
        isolation="fresh",
        cpu_seconds=7,
        witnesses={"aot_eager": "refuted"},
    )
    write_record(tmp_path / "a", record)
    write_record(tmp_path / "b", record)
    assert load_evidence(tmp_path / "a") == {("one", COLUMN): record}
    assert load_records(tmp_path / "a", "one") == [record]
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_column_is_a_line_without_dates_or_defaults(tmp_path, make_record):
    """What a diff shows of a new column is one line a file."""
    write_record(tmp_path, make_record("one", witnesses={}))
    before = contents(tmp_path)
    write_record(tmp_path, make_record("one", torch="2.14.0", witnesses={}))
    old, new = (it["verdicts/one.json"].decode().split("\n") for it in (before, contents(tmp_path)))
    added = [line for line in new if line.rstrip(",") not in [it.rstrip(",") for it in old]]
    assert len(added) == 1
    line = json.loads(added[0].strip().rstrip(",").partition(": ")[2])
    assert sorted(line) == ["digest", "environment", "remedy", "shows", "symptom", "verdict"]
    assert not re.search(r"20\d\d-\d\d", "".join(map(str, contents(tmp_path))))


def test_columns_that_saw_the_same_share_their_reports(tmp_path, make_record):
    """Whatever their times were; each keeps its own times and memory."""
    reports = [TIMED | {"times": {"t": [float(n)]}} for n in range(3)]
    for minor, report in enumerate(reports):
        write_record(tmp_path, make_record("one", torch=f"2.{minor}.0", symptom=report))
    kept = json.loads(reports_file(tmp_path, "one").read_bytes())
    assert len(kept["reports"]) == 2  # the symptom's and the remedy's
    assert [it.symptom for it in load_records(tmp_path, "one")] == reports
    assert {key_of(report) for report in kept["reports"].values()} == set(kept["reports"])


def test_an_environment_is_written_once(tmp_path, make_record):
    """All cases of a column name it; another processor is another file."""
    mark = dataclasses.replace(make_record("a").fingerprint, processor="Another")
    for record in (make_record("a"), make_record("b"), make_record("c", fingerprint=mark)):
        write_record(tmp_path, record)
    assert len(list((tmp_path / "environments" / COLUMN).iterdir())) == 2
    assert load_evidence(tmp_path)["c", COLUMN].fingerprint == mark


def test_reports_are_read_when_they_are_asked_for(tmp_path, make_record):
    """A list of verdicts opens no file of reports; damage there is said when one is wanted."""
    write_record(tmp_path, make_record("one"))
    reports_file(tmp_path, "one").write_text("damage")
    (record,) = load_evidence(tmp_path).values()
    with pytest.raises(CasebookError, match=r"reports/one.json: is not a case's reports \("):
        record.symptom  # noqa: B018
    with pytest.raises(CasebookError, match="delete it and run the case again"):
        load_evidence(tmp_path, whole=True)


def test_what_a_column_no_longer_saw_goes(tmp_path, make_record):
    """A replaced report is not kept, nor a file that holds none."""
    write_record(tmp_path, make_record("one", symptom={"ops": 1}))
    write_record(tmp_path, make_record("one", symptom={"ops": 2}))
    assert b'"ops":1' not in reports_file(tmp_path, "one").read_bytes()
    write_record(tmp_path, make_record("one", symptom=None, remedy=None))
    assert not reports_file(tmp_path, "one").exists()
    assert sorted(it.name for it in tmp_path.iterdir()) == ["environments", "reports", "verdicts"]


def test_a_typed_report(tmp_path, make_record):
    """The probes' own type; what no probe writes is one sentence."""
    write_record(tmp_path, make_record("one", symptom={"ops": 5, "times": {"t": ["nan"]}}))
    (record,) = load_records(tmp_path, "one")
    assert record.report("symptom").ops == 5
    assert str(record.report("symptom").times["t"]) == "[nan]"
    assert make_record("one", remedy=None).report("remedy") is None
    with pytest.raises(
        CasebookError, match=r"the evidence of one in torch-2\.13\.0-cpu: its remedy"
    ):
        make_record("one", remedy={"ops": "many"}).report("remedy")


@pytest.mark.parametrize(
    ("place", "damage"),
    [
        ("verdicts/one.json", b""),
        ("verdicts/one.json", b"[]"),
        ("verdicts/one.json", b'{"code": {}, "columns": {"torch-2.13.0-cpu": {}}}'),
        ("verdicts/one.json", b"<<<<<<< ours\n{}\n"),
        ("verdicts/one.json", b"[" * 100_000),
        ("verdicts/A case.json", b'{"code": {}, "columns": {}}'),
        ("reports/one.json", b'{"reports": {}, "noise": {}}'),
        ("reports/one.json", b"\xff"),
        ("environments/torch-2.13.0-cpu/KEY.json", b"{}"),
        ("environments/..\n/KEY.json", b"{}"),
    ],
)
def test_a_damaged_file_is_named_and_costs_its_own_records(tmp_path, make_record, place, damage):
    """All else is read; where no list is given, the first is raised."""
    write_record(tmp_path, make_record("one"))
    write_record(tmp_path, make_record("two", torch="2.14.0"))
    (key,) = (tmp_path / "environments" / COLUMN).iterdir()
    file = tmp_path / place.replace("KEY.json", key.name)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(damage)
    damaged = []
    found = load_evidence(tmp_path, damaged, whole=True)
    assert found["two", "torch-2.14.0-cpu"] == make_record("two", torch="2.14.0")
    assert damaged[0].path == file
    assert all(str(it).isprintable() and "run the case again" in it.message for it in damaged)
    with pytest.raises(CasebookError, match="restore the file, or delete it"):
        load_evidence(tmp_path, whole=True)


@pytest.mark.parametrize("name", ["environment", "digest", "symptom"])
def test_a_line_that_names_nothing_is_damage(tmp_path, make_record, name):
    """Its environment, its modules or its report are not there."""
    write_record(tmp_path, make_record("one"))
    file = verdicts_file(tmp_path, "one")
    data = json.loads(file.read_bytes())
    data["columns"][COLUMN][name] = "0123456789ab"
    file.write_text(json.dumps(data))
    with pytest.raises(CasebookError, match=r"0123456789ab"):
        load_evidence(tmp_path, whole=True)


def test_a_field_of_a_later_day_is_passed_over(tmp_path, make_record):
    """And one that is missing has its default: no file is touched for a new field."""
    write_record(tmp_path, make_record("one"))
    file = verdicts_file(tmp_path, "one")
    file.write_bytes(file.read_bytes().replace(b'{"verdict"', b'{"later": {"x": [1]}, "verdict"'))
    assert load_evidence(tmp_path) == {("one", COLUMN): make_record("one")}


def test_write_replaces_what_is_damaged(tmp_path, make_record):
    """What this machine ran can be run again: the case's files begin anew."""
    write_record(tmp_path, make_record("one"))
    for file in (verdicts_file(tmp_path, "one"), reports_file(tmp_path, "one")):
        file.write_text("damage")
        write_record(tmp_path, make_record("one", reason="again"))
        assert load_evidence(tmp_path, whole=True)["one", COLUMN].reason == "again"


def test_merge_leaves_noise_alone(tmp_path, make_record):
    """Other times and memory change no committed byte; a number that was counted does."""
    write_record(tmp_path, make_record("one", symptom=TIMED))
    before = contents(tmp_path)
    noisy = TIMED | {"times": {"t": [2.0]}, "memory": {"m": 2}}
    assert merge(tmp_path, [make_record("one", symptom=noisy)]) == []
    assert contents(tmp_path) == before
    real = make_record("one", symptom={**noisy, "ops": 2})
    assert merge(tmp_path, [real]) == [real]


def test_what_a_case_costs_is_kept_once_it_is_measured(tmp_path, make_record):
    """The first figure is news, another one is noise."""
    write_record(tmp_path, make_record("one"))
    for seconds, kept in ((5, 5), (9, 5), (0, 5)):
        merge(tmp_path, [make_record("one", cpu_seconds=seconds)])
        assert load_evidence(tmp_path)["one", COLUMN].cpu_seconds == kept


def test_witnesses_stay_with_their_program(tmp_path, make_record):
    """A run under one backend does not forget what others gave, until the program changes."""
    write_record(tmp_path, make_record("one", witnesses={"aot_eager": "confirmed"}))
    for fields, witnesses in [
        ({"reason": "x"}, {"aot_eager": "confirmed"}),
        ({"witnesses": {"inductor": "refuted"}}, {"aot_eager": "confirmed", "inductor": "refuted"}),
        ({"digest": "1"}, {}),
    ]:
        merge(tmp_path, [make_record("one", **{"witnesses": {}, **fields})])
        assert load_evidence(tmp_path)["one", COLUMN].witnesses == witnesses


def test_a_difference_stays_until_results_are_compared_anew(tmp_path, make_record):
    """A run that asks another witness does not forget it, one that compares again replaces it."""
    old = {"symptom": "call 0: values differ by 1"}
    write_record(tmp_path, make_record("one", witnesses={"uncompiled": "refuted"}, differs=old))
    for witness, differs in [("inductor", old), ("uncompiled", {})]:
        merge(tmp_path, [make_record("one", witnesses={witness: "refuted"})])
        assert load_evidence(tmp_path)["one", COLUMN].differs == differs


def test_what_a_release_lacks_replaces_a_verdict(tmp_path, make_record):
    """No machine with that release decides the case; another judge had decided it."""
    merge(tmp_path, [make_record("one", judge="0" * 16)])
    lacking = make_record(
        "one", verdict="skipped", reason="needs `torch.x`, which torch 2.4.1 lacks"
    )
    assert merge(tmp_path, [lacking]) == [lacking]


def test_a_skipped_case_does_not_undo_what_was_decided(tmp_path, make_record):
    """Where a need is unmet, the evidence of where it was met stays."""
    write_record(tmp_path, make_record("one"))
    skipped = make_record("one", verdict="skipped", shows={}, symptom=None, remedy=None)
    assert merge(tmp_path, [skipped]) == []
    assert load_evidence(tmp_path) == {("one", COLUMN): make_record("one")}


def test_merge_touches_the_files_of_its_cases_only(tmp_path, make_record):
    """And says what changed."""
    write_record(tmp_path, make_record("a"))
    before = contents(tmp_path)
    changed = merge(tmp_path, [make_record("b"), make_record("a"), make_record("b", torch="2.9")])
    assert [(it.case, it.column) for it in changed] == [("b", COLUMN), ("b", "torch-2.9-cpu")]
    after = contents(tmp_path)
    assert {name: after[name] for name in before} == before


def test_merge_into_a_damaged_file_changes_nothing(tmp_path, make_record):
    """It may hold evidence that nobody has elsewhere; no other case is written first."""
    write_record(tmp_path, make_record("two"))
    verdicts_file(tmp_path, "two").write_text("damage")
    before = contents(tmp_path)
    with pytest.raises(CasebookError, match="is not a case's evidence"):
        merge(tmp_path, [make_record("one"), make_record("two")])
    assert contents(tmp_path) == before
    assert merge(tmp_path, [make_record("one")])


def test_concurrent_writers_lose_nothing(tmp_path, make_record):
    """Two runners at once both keep what they decided, also of one case."""
    minors = range(12)
    records = [make_record(f"case_{i % 3}", torch=f"2.{i}.0") for i in minors]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda it: merge(tmp_path / "merged", [it]), records))
        list(pool.map(lambda it: write_record(tmp_path / "written", it), records))
    for folder in ("merged", "written"):
        assert len(load_evidence(tmp_path / folder, whole=True)) == len(records)


def _write(folder, make) -> None:
    for number in range(10_000):
        write_record(folder, make("one", symptom={"ops": number}))


def test_a_writer_that_is_killed_leaves_whole_files(tmp_path, make_record):
    """Wherever `kill -9` strikes, each file is the old one or the new, and they fit together."""
    fork = multiprocessing.get_context("fork")
    write_record(tmp_path, make_record("one", symptom={"ops": -1}))
    for attempt in range(12):
        worker = fork.Process(target=_write, args=(tmp_path, make_record))
        worker.start()
        time.sleep(0.01 + 0.003 * attempt)
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        (record,) = load_evidence(tmp_path, whole=True).values()
        assert set(record.symptom) == {"ops"}
    write_record(tmp_path, make_record("last"))
    assert len(load_evidence(tmp_path, whole=True)) == 2
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"one.json", "last.json", *(it for it in names if len(it) == 17)}


def test_a_folder_that_cannot_be_written_keeps_what_it_has(tmp_path, make_record, monkeypatch):
    """A merge that fails leaves nothing behind."""
    write_record(tmp_path, make_record("one"))
    before = contents(tmp_path)
    full = OSError(28, "full")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(full))
    with pytest.raises(OSError, match="full"):
        merge(tmp_path, [make_record("one", reason="x"), make_record("two")])
    assert contents(tmp_path) == before


def git(folder, *words: str) -> str:
    """Run git in `folder`; returns what it prints."""
    names = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", folder, *names, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_branches_that_add_cases_merge_without_conflict(tmp_path, make_record):
    """Two cases that sort together, on the same columns, one of them on another machine."""
    folder = tmp_path / "playbooks" / "evidence"
    columns = ("2.13.0", "2.15.0")
    git(tmp_path, "init", "-q", "-b", "main")
    for name in ("case_a", "case_d"):
        merge(folder, [make_record(name, torch=torch) for torch in columns])
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "base")
    for name in ("case_b", "case_c"):
        git(tmp_path, "checkout", "-q", "-b", name, "main")
        records = [make_record(name, torch=torch) for torch in columns]
        marks = [dataclasses.replace(r.fingerprint, processor=name) for r in records]
        merge(
            folder,
            [
                msgspec.structs.replace(record, fingerprint=mark)
                for record, mark in zip(records, marks, strict=True)
            ],
        )
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", name)
    git(tmp_path, "merge", "--no-edit", "-q", "case_b")
    found = load_evidence(folder, whole=True)
    assert len(found) == 8
    assert git(tmp_path, "status", "--porcelain") == ""
