"""Before and after in the terminal, in Markdown and in JSON, and how fast calls are said to be."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tests.schemas import valid
from tests.validators.diagnose.measured import breaks, gain, report
from validators.cli.model.diagnose import diagnose_command
from validators.cli.output import json_text
from validators.diagnose.compare.reports import compare_diagnoses
from validators.diagnose.findings.finding import Explanation, Finding
from validators.diagnose.report.render import markdown, measured_lines, terminal_lines


@pytest.fixture
def compared():
    """A report with more breaks than the one before, and a finding of another kind."""
    gone = Finding("recompile", "f compiles again", "twice", Explanation("unknown"))
    new = Finding("graph_break", "graph break: a | b", "once", Explanation("unknown"))
    made = report([new], breaks=breaks(3), failed="results")
    before = report([gone], breaks=breaks(1), results={"raised": None})
    made.against = compare_diagnoses(before, made, 0.05)
    return made


def test_the_terminal_tells_what_changed(compared):
    """Number by number, finding by finding, and what got worse."""
    text = "\n".join(terminal_lines(compared))
    assert "  graph-breaks                  1        3  worse" in text
    assert "the part results has no result any more: took longer than 3 s" in text
    assert "gone: f compiles again (twice)" in text
    assert "new: graph break: a | b (once)" in text
    assert text.endswith("Worse: graph-breaks, wrong-results, new-findings.")


def test_the_markdown_has_a_table(compared):
    """And the command that makes the page again."""
    compared.command = "python -m validators diagnose model.py:example"
    text = markdown(compared)
    assert "| graph-breaks | 1 | 3 | worse |" in text
    assert "## Reproduce\n\n```bash\npython -m validators diagnose model.py:example\n```" in text


def test_a_report_with_a_comparison_fits_the_schema(compared):
    """The comparison is part of the report."""
    told = valid("diagnose", json_text(compared))
    assert told["against"]["worse"] == ["graph-breaks", "wrong-results", "new-findings"]


def test_an_older_report_that_cannot_be_read_is_told_before_anything_runs(tmp_path):
    """Not after minutes."""
    old = tmp_path / "old.json"
    old.write_text('{"seconds": [1.0]}')
    arguments = ["gone.py:example", "--against", str(old)]
    done = CliRunner().invoke(diagnose_command, arguments, standalone_mode=False)
    assert "is a benchmark, not a report of diagnose" in str(done.exception)


@pytest.mark.parametrize(
    ("dispatch", "said"),
    [
        ([0.2, 0.3], "with dispatch 20.0% to 30.0% of an eager call's time"),
        ([0.1, 40.0], "what they cost is not decided"),
    ],
)
def test_an_interval_that_is_too_wide_is_withheld(dispatch, said):
    """And one part alone does not say that there is no trouble."""
    taken = {"dispatch": dispatch, "eager": [1.0, 1.0]}
    medians = {"dispatch": 1.0, "unguarded": None}
    told = {"withheld": "", "guards": 7, "compilations": 1, "samples": taken, "medians": medians}
    lines = list(terminal_lines(report(guards=told)))
    assert said in lines[-1]
    assert lines[1].startswith("Only guards ran: nobody looked")


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (gain(1.3), "speed: 1.30 (1.30 to 1.30) times as fast as eager"),
        (
            gain(1.0),
            "speed: not decided; 1.00 to 1.00 times as fast as eager may be",
        ),
        (gain(1.3, calls=5), "speed: not decided; 5 calls are too few"),
    ],
)
def test_speed_is_given_with_its_interval_or_withheld(measured, said):
    """Nobody takes noise for a gain."""
    (line,) = measured_lines(report(gain=measured))
    assert line.startswith(said)
