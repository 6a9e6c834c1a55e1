"""`python -m docsite import-log`: what it writes and says, and what it refuses."""

from __future__ import annotations

import os
import re
from contextlib import AbstractContextManager
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from docsite.import_log import files, import_log

from validators.errors import naming

from ..conftest import run_docsite

BAKERY = Path(__file__).parent / "bakery.md"


def names(folder: Path) -> list[str]:
    """What stands in a folder."""
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def refused(*arguments: object) -> str:
    """The one sentence that the command ends with."""
    done = run_docsite("import-log", *arguments)
    assert done.returncode == 2 and not done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_what_was_written_and_what_comes_next_is_said(tmp_path: Path) -> None:
    """Places that want attention go to standard error, with their lines."""
    out = tmp_path / "new" / "logs"
    dry = run_docsite("import-log", BAKERY, "--out", out, "--dry-run", check=True)
    assert not out.exists()
    done = run_docsite("import-log", BAKERY, "--out", out, check=True)
    assert done.stdout == (
        f"Wrote 4 entries, and 7 lines in no entry (bakery.unplaced.txt), to {out}; "
        "next, give the entries `cases` and run `python -m validators check`\n"
    )
    assert dry.stdout == done.stdout.replace("Wrote", "Would write")
    assert dry.stderr == done.stderr
    assert "bakery.md:1-11: is in no entry: stands before the first entry; " in done.stderr
    assert len(names(out)) == 5


def test_entries_go_into_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not into a casebook elsewhere, such as the one that the command comes with."""
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(import_log, [str(BAKERY)])
    assert done.exit_code == 0
    assert len(names(tmp_path / "playbooks" / "logs")) == 5


def test_a_second_import_is_refused(tmp_path: Path) -> None:
    """Nothing that exists is overwritten, and nothing is written beside it."""
    run_docsite("import-log", BAKERY, "--out", tmp_path, check=True)
    said = refused(BAKERY, "--out", tmp_path)
    assert f"{tmp_path}: holds 5 of the 5 files that bakery.md becomes, such as 2025-" in said
    kept = tmp_path / "2025-03-09-a-starter-that-survives-the-weekend.md"
    for file in tmp_path.iterdir():
        file.unlink()
    kept.write_text("mine")
    assert "holds 1 of the 5 files" in refused(BAKERY, "--out", tmp_path, "--dry-run")
    assert "holds 1 of the 5 files" in refused(BAKERY, "--out", tmp_path)
    assert names(tmp_path) == [kept.name] and kept.read_text() == "mine"


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """All entries are written, or none, and what stood there stays."""
    found = files.read_import(BAKERY, tmp_path / "out")
    *_, last = found.files
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "other.md").write_text("mine")

    def failing(place: Path) -> AbstractContextManager[None]:
        if place == last:
            assert len(names(tmp_path / "out")) == len(found.files)
            raise error
        return naming(place)

    monkeypatch.setattr(files, "naming", failing)
    with pytest.raises(type(error)):
        found.write()
    assert names(tmp_path / "out") == ["other.md"]


def test_a_file_that_is_half_written_goes_too(tmp_path: Path) -> None:
    """Its text cannot be encoded."""
    found = files.read_import(BAKERY, tmp_path / "out")
    found.files[[*found.files][1]] += "\ud800"
    with pytest.raises(UnicodeEncodeError):
        found.write()
    assert names(tmp_path / "out") == []


def test_a_log_that_is_none(tmp_path: Path) -> None:
    """A folder, a pipe, nothing, what may not be read, and text without an entry."""
    out = ["--out", tmp_path / "out"]
    assert f"{tmp_path}: is no file; name a log" in refused(tmp_path, *out)
    assert "nowhere.md: is no file; name a log" in refused(tmp_path / "nowhere.md", *out)
    os.mkfifo(tmp_path / "pipe")
    assert "pipe: is no file; name a log" in refused(tmp_path / "pipe", *out)
    for raw in (b"", b"\n\n", b"# Log\n\n## Notes\n", b"\0\xff" * 99, b"## 2026-02-30 Plan: T\n"):
        (tmp_path / "log.md").write_bytes(raw)
        assert "log.md: makes no entry; head each `## YYYY" in refused(tmp_path / "log.md", *out)
    assert names(tmp_path) == ["log.md", "pipe"]
    (tmp_path / "out").write_text("a file")
    assert "out" in refused(BAKERY, *out)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read anything")
def test_a_log_that_may_not_be_read(tmp_path: Path) -> None:
    """The system's reason is said."""
    (tmp_path / "log.md").write_bytes(BAKERY.read_bytes())
    (tmp_path / "log.md").chmod(0)
    assert "log.md: Permission denied" in refused(tmp_path / "log.md", "--out", tmp_path)


@pytest.mark.slow
def test_a_log_becomes_a_site(tmp_path: Path) -> None:
    """Nothing but the log and two commands: every word of every entry is on its page, as text."""
    logs = tmp_path / "playbooks" / "logs"
    (tmp_path / "playbooks" / "catalog").mkdir(parents=True)
    run_docsite("import-log", BAKERY, "--out", logs, check=True)
    build = tmp_path / "build"
    run_docsite(
        "build", "--catalog", tmp_path / "playbooks" / "catalog", "--out", build, check=True
    )
    index = shown(build / "site" / "logs" / "index.html")
    entries = sorted(logs.glob("*.md"))
    assert len(entries) == 4
    for entry in entries:
        _, front, body = entry.read_text("utf-8").split("---\n", 2)
        summary = re.sub(r"[>`\s-]+", " ", front.partition("summary:")[2]).strip()
        page = build / "site" / "logs" / entry.stem / "index.html"
        assert summary.split(" ")[0] in index
        assert not words(summary + without_comments(body)) - words(shown(page))
        assert '<script>alert("pale")' not in page.read_text("utf-8")


def test_without_a_log_a_catalog_needs_a_case(tmp_path: Path) -> None:
    """An empty folder is more likely the wrong one than a site."""
    (tmp_path / "playbooks" / "catalog").mkdir(parents=True)
    out = tmp_path / "build"
    done = run_docsite("build", "--catalog", tmp_path / "playbooks" / "catalog", "--out", out)
    assert done.returncode == 2 and "holds no case; write one" in done.stderr


def without_comments(text: str) -> str:
    """The text without what a page does not show."""
    return re.sub(r"<!--.*?-->|^ *(```|~~~).*$", "", text, flags=re.DOTALL | re.MULTILINE)


def shown(page: Path) -> str:
    """What a browser shows of a page."""
    html = re.sub(r"<script.*?</script>|<style.*?</style>", "", page.read_text("utf-8"), flags=re.S)
    return unescape(re.sub(r"<[^>]*>", " ", html))


def words(text: str) -> set[str]:
    """The words of a text, letters and digits."""
    return set(re.findall(r"\w+", text))
