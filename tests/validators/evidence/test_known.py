"""What lists read of evidence: the same as the whole records say, and nothing more is imported."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest
from validators.evidence.known import Currency, load_known, records_of

from validators.catalog import load_catalog
from validators.cli import _COMMANDS, cli
from validators.errors import CasebookError
from validators.evidence import append, is_current, load_evidence
from validators.evidence.digest import ROOT

EVIDENCE = ROOT / "playbooks" / "evidence"
HEAVY = {"asyncio", "jinja2", "mkdocs", "multiprocessing", "rich", "torch"}


def test_the_committed_evidence_is_known():
    """Every record, in every column, with the same verdict and the same word on its currency."""
    whole, known = load_evidence(EVIDENCE), load_known(EVIDENCE)
    assert {(case, column) for case, columns in known.items() for column in columns} == set(whole)
    catalog = load_catalog(ROOT / "playbooks" / "catalog")
    currency = Currency(catalog.root)
    for case in catalog.cases:
        for column, record in known.get(case.name, {}).items():
            assert record.verdict == whole[case.name, column].verdict
            expected = is_current(case, whole[case.name, column], catalog.root)
            assert currency.is_current(case, record) == expected
        mine = [record for key, record in sorted(whole.items()) if key[0] == case.name]
        assert records_of(case.name, EVIDENCE) == mine


def test_an_edited_proof_makes_its_columns_stale(tmp_path, write_case, make_record):
    """Records of one digest are judged together, and others apart."""
    page = write_case(tmp_path, "graph_breaks", "tensor_branch")
    case = load_catalog(tmp_path).by_name["tensor_branch"]
    before = [make_record(case), make_record(case, "2.15.0")]
    page.with_suffix(".py").write_text("# edited\n")
    currency = Currency(tmp_path)
    after = make_record(case, "2.16.0")
    assert [currency.is_current(case, record) for record in (*before, after)] == [0, 0, 1]


def test_the_newer_record_counts(tmp_path, make_record):
    """Of the same day, a later folder's and a later line, as the store has it."""
    one, other = tmp_path / "one", tmp_path / "other"
    append(one, make_record("a", date="2026-02-01", verdict="refuted"))
    append(one, make_record("a", date="2026-02-01", verdict="confirmed"))
    append(other, make_record("a", date="2026-01-01", verdict="unstable"))
    assert load_known(one, other)["a"]["torch-2.13.0-cpu"].verdict == "confirmed"
    assert records_of("a", one, other) == list(load_evidence(one, other).values())


@pytest.mark.parametrize("bad", [b'{"case": 1}\n', b"{\n", b"\xff\n"])
def test_a_bad_line_is_said_in_the_words_of_the_store(tmp_path, make_record, bad):
    """Wherever it stands, and although only other records were asked for."""
    append(tmp_path, make_record("a"))
    file = tmp_path / "torch-2.13.0-cpu.jsonl"
    file.write_bytes(file.read_bytes() + bad)
    with pytest.raises(CasebookError) as expected:
        load_evidence(tmp_path)
    for read in (load_known, lambda folder: records_of("a", folder)):
        with pytest.raises(CasebookError, match="delete the line") as raised:
            read(tmp_path)
        assert str(raised.value) == str(expected.value)


def test_damaged_lines_cost_no_other_record(tmp_path, make_record):
    """Where a list of them is asked for, it has their places, and the rest is read."""
    append(tmp_path, make_record("a"))
    file = tmp_path / "torch-2.13.0-cpu.jsonl"
    file.write_bytes(file.read_bytes() + b"{}\n" + file.read_bytes())
    for read in (load_known, partial(records_of, "a")):
        damaged = []
        assert len(read(tmp_path, damaged=damaged)) == 1
        assert [problem.line for problem in damaged] == [2]


def test_broken_text_in_a_report_is_found(tmp_path, make_record):
    """Although reports are passed over."""
    append(tmp_path, make_record("a", symptom={"facts": {"x": "MARK"}}))
    file = tmp_path / "torch-2.13.0-cpu.jsonl"
    file.write_bytes(file.read_bytes().replace(b"MARK", b"\xff"))
    with pytest.raises(CasebookError, match="jsonl:1: is not a record"):
        load_known(tmp_path)


def test_an_unfinished_line_is_left_out(tmp_path, make_record):
    """A killed writer's, however long."""
    append(tmp_path, make_record("a"))
    file = tmp_path / "torch-2.13.0-cpu.jsonl"
    file.write_bytes(file.read_bytes() + b'{"case": "' + b"b" * 300_000)
    assert list(load_known(tmp_path)) == ["a"]


def test_a_long_file_is_read_to_its_end(tmp_path, make_record):
    """Records that are longer than what is read at a time, short ones, and one in two blocks."""
    for index in range(40):
        append(tmp_path, make_record(f"a{index}", reason="long " * 10_000 * (index % 7)))
    assert len(load_known(tmp_path)) == 40
    assert len(records_of("a39", tmp_path)) == 1


def test_the_help_of_all_commands_is_theirs():
    """The table that spares `--help` their import says what they say."""
    for name, (_, sentence) in _COMMANDS.items():
        command = cli.get_command(None, name)
        assert command.get_short_help_str(limit=200) == sentence


@pytest.mark.parametrize("arguments", [["--help"], ["list"], ["show", "compile_modes"]])
def test_what_only_looks_imports_little(arguments, unmeasured):
    """An import costs more than the command that does without it."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "validators", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=unmeasured,
    )
    assert done.returncode == 0
    imported = {
        line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.split("\n")
    }
    assert "click" in imported
    assert not imported & HEAVY
