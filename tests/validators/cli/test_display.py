"""The live display, on a terminal that is a string."""

from __future__ import annotations

import io

from validators.catalog import load_catalog
from validators.cli.display import display
from validators.environment import Environment
from validators.runner.decide import Decision
from validators.runner.plan import Job
from validators.runner.run import Decided, Started


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
    with display(2, stream, quiet=False) as listener:
        listener(Started(job))
        listener(decided)
    shown = stream.getvalue()
    assert "some_guard" in shown
    assert "1 confirmed" in shown
    assert "1/2" in shown


def test_elsewhere_a_decided_case_is_one_plain_line(tmp_path, write_case, make_record):
    """A log gets no escapes and one line a case."""
    job, decided = job_of(tmp_path, write_case, make_record)
    stream = io.StringIO()
    with display(1, stream, quiet=False) as listener:
        listener(Started(job))
        listener(decided)
    line = "confirmed     some_guard  torch-2.13.0-cpu  1.5 s  a reason\n"
    assert stream.getvalue() == line
