"""`plain` as a user runs it."""

from __future__ import annotations

import pytest

from tests.commands import call
from tests.corpus import COLUMN
from tests.plain import BREAK, KNOWN, PROGRAM, record, write
from tests.schemas import valid
from validators.cli import main
from validators.plain.record import load_plain, record_file


@pytest.fixture
def plain(corpus, warm):
    """Runs `plain` on a repository with one program."""
    write(corpus, "sums.py", PROGRAM)

    def run(*arguments: str):
        place = ("--catalog", str(corpus.catalog))
        done = call(main, "plain", *place, *arguments, cwd=corpus.root)
        assert "Traceback" not in done.stderr
        return done

    return run


def test_the_summary_reads_records(plain, corpus):
    """A finding is open until an entry names its case; the output fits the schema."""
    corpus.case("branch")
    record(corpus, breaks=[BREAK])
    done = plain("--summary")
    assert done.returncode == 0, done.stderr
    assert f"sums, {COLUMN}:\n   OPEN: graph break in training: {BREAK}\n" in done.stdout
    write(corpus, "known.yaml", KNOWN)
    done = plain("--summary", "--json")
    assert done.returncode == 0, done.stderr
    (program,) = valid("plain", done.stdout)["programs"]
    assert program["findings"][0]["case"] == "branch"


def test_the_summary_tells_of_a_missing_or_stale_record(plain, corpus):
    """Exit status 1."""
    assert plain("--summary").returncode == 1
    record(corpus, digest="0")
    done = plain("--summary")
    assert done.returncode == 1
    assert "not compared: the file has changed since" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "nothing: is not a plain program; name one of sums"),
        (["--python", "/bin/true"], "/bin/true"),
    ],
)
def test_a_wrong_argument_is_one_sentence(plain, arguments, said):
    """Exit status 2."""
    done = plain(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_program_is_run_recorded_and_compared(plain, corpus):
    """The break is found under Inductor; a run agrees with the record until that changes."""
    recorded = plain("--record")
    assert recorded.returncode == 0, recorded.stderr + recorded.stdout
    assert "OPEN: graph break in training, no_grad, inference_mode: GB0170" in recorded.stdout
    (seen,) = load_plain(corpus.evidence)[0]["sums"].values()
    assert set(seen.modes) == {"training", "no_grad", "inference_mode"}
    assert not any(it.differs or it.raised or it.failure for it in seen.modes.values())
    file = record_file(corpus.evidence, "sums")
    file.write_text(file.read_text().replace('"graphs":', '"graphs":1', 1))
    differs = plain("sums")
    assert differs.returncode == 1, differs.stderr + differs.stdout
    assert differs.stdout.count("differs: ") == 1
