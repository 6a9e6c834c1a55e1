"""Figures set in place, and prose that the catalog contradicts."""

from __future__ import annotations

from pathlib import Path

from validators.checks import fix_prose
from validators.evidence import write_record
from validators.repository import Repository


def repository(root: Path) -> Repository:
    """The repository at `root`, with a catalog even if it is empty."""
    catalog = root / "playbooks" / "catalog"
    catalog.mkdir(parents=True, exist_ok=True)
    return Repository(catalog)


def test_fix_sets_the_figures_and_names_the_files(tmp_path, write, make_record):
    """A wrong figure takes the evidence's value; all else stays as it was, byte for byte."""
    write_record(tmp_path / "playbooks/evidence", make_record("one"))
    mark = "<!-- figure one symptom.ops torch-2.13.0-cpu -->{}<!-- /figure -->"
    unknown = "<!-- figure two symptom.ops torch-2.13.0-cpu -->5<!-- /figure -->"
    write("README.md", f"It has {mark.format(9)} ops.\r\n{unknown}\r\n")
    write("playbooks/guides/right.md", mark.format(577))
    assert fix_prose(repository(tmp_path)) == [tmp_path / "README.md"]
    after = (tmp_path / "README.md").read_bytes()
    assert after == f"It has {mark.format(577)} ops.\r\n{unknown}\r\n".encode()
    assert fix_prose(repository(tmp_path)) == []


def test_fix_leaves_files_that_are_not_unicode(tmp_path, write):
    """A file that cannot be read is the check's concern, not the fix's."""
    write("README.md", b"\xff")
    assert fix_prose(repository(tmp_path)) == []
    assert (tmp_path / "README.md").read_bytes() == b"\xff"


def test_lines_count_from_the_top_of_the_file(check, tmp_path, write_case):
    """A citation's line on a case's page includes the front matter."""
    page = write_case(tmp_path / "playbooks/catalog", "guards", "one")
    page.write_text(page.read_text() + "`case:nothing`\n")
    (problem,) = check()[1]
    line = page.read_text().split("\n").index("`case:nothing`") + 1
    assert problem.startswith(f"playbooks/catalog/guards/one.md:{line}: cites 'nothing'")


def test_a_page_that_cannot_be_read_is_one_problem(check, tmp_path, write, write_case, make_record):
    """Citing a case whose page is broken, or keeping its record, is no second problem."""
    write_case(tmp_path / "playbooks/catalog", "guards", "one", severity="dire")
    write("README.md", "`case:one`")
    write_record(tmp_path / "playbooks/evidence", make_record("one"))
    assert len(check()[1]) == 1
