"""The live display, on a terminal that is a string."""

from __future__ import annotations

import io
import time
from typing import get_args

import pytest
from msgspec import structs

from validators.catalog import load_catalog
from validators.cli.decide.display import display
from validators.environment import Environment
from validators.runner.decide import Decision
from validators.runner.estimate import TimeLeft
from validators.runner.plan import Job
from validators.runner.run import Decided, Started
from validators.verdicts import Verdict


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Always."""
        return True


def job_of(tmp_path, write_case, make_record) -> tuple[Job, Decided]:
    """A job and its end."""
    write_case(tmp_path, "guards", "some_guard")
    case = load_catalog(tmp_path).by_name["some_guard"]
    record = make_record(case, reason="a reason")
    job = Job(case, Environment("python", record.fingerprint, frozenset()))
    return job, Decided(job, Decision(record, seconds=1.5))


def test_a_terminal_shows_what_runs_and_what_was_decided(
    tmp_path, write_case, make_record, monkeypatch
):
    """The running case, the counts and the decided case all appear."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    job, decided = job_of(tmp_path, write_case, make_record)
    stream = Terminal()
    left = TimeLeft([job, job], {}, 1)
    with display(2, left, stream, quiet=False) as listener:
        listener(Started(job))
        listener(decided)
    shown = stream.getvalue()
    assert "some_guard" in shown
    assert "1 confirmed" in shown
    assert "1/2" in shown
    assert "about 5 s left" in shown


def test_elsewhere_a_decided_case_is_one_plain_line(tmp_path, write_case, make_record):
    """A log gets no escapes and one line a case."""
    job, decided = job_of(tmp_path, write_case, make_record)
    stream = io.StringIO()
    left = TimeLeft([job], {}, 1)
    with display(1, left, stream, quiet=False) as listener:
        listener(Started(job))
        listener(decided)
    line = "confirmed     some_guard  torch-2.13.0-cpu  1.5 s  a reason\n"
    assert stream.getvalue() == line


@pytest.mark.parametrize("verdict", sorted({*get_args(Verdict)} - {"skipped"}))
def test_every_verdict_has_a_line_and_a_count(verdict, tmp_path, write_case, make_record):
    """None ends the run, on a terminal or elsewhere."""
    job, decided = job_of(tmp_path, write_case, make_record)
    decided = Decided(job, Decision(structs.replace(decided.decision.record, verdict=verdict)))
    for stream in (Terminal(), io.StringIO()):
        with display(1, TimeLeft([job], {}, 1), stream, quiet=False) as listener:
            listener(decided)
        assert verdict in stream.getvalue()


def test_a_skipped_case_has_no_line_unless_it_is_named(tmp_path, write_case, make_record):
    """Of those that a run leaves out, its end says how many there are and why."""
    job, decided = job_of(tmp_path, write_case, make_record)
    skipped = structs.replace(decided.decision.record, verdict="skipped")
    for told, lines in ((None, 0), (lambda event: "", 1)):
        stream = io.StringIO()
        with display(1, TimeLeft([job], {}, 1), stream, quiet=False, told=told) as listener:
            listener(Decided(job, Decision(skipped)))
        assert stream.getvalue().count("\n") == lines


def test_a_log_is_told_how_far_a_silent_run_is(tmp_path, write_case, make_record, monkeypatch):
    """And what runs, and how long it still takes."""
    monkeypatch.setattr("validators.waiting.SILENT_SECONDS", 0.08)
    job, decided = job_of(tmp_path, write_case, make_record)
    stream = io.StringIO()
    with display(2, TimeLeft([job], {}, 1), stream, quiet=False) as listener:
        listener(decided)
        listener(Started(job))
        time.sleep(0.5)
    first, *others = stream.getvalue().splitlines()
    assert first.startswith("confirmed ")
    assert len(others) > 2
    assert all(it.startswith("--- 1 of 2 cases, about 5 s left: some_guard (") for it in others)
