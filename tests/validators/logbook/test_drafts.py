"""Entries of the log that are begun by a program, and refused until a person has written them."""

from __future__ import annotations

import datetime
import subprocess

import pytest

from tests.world import BREAK, World, front, report
from validators.checks.everything import check_all
from validators.cli import cli
from validators.errors import CasebookError
from validators.repository import Repository

LATER = {"symptom": report(), "shows": {"symptom": False, "remedy": False}, "verdict": "refuted"}


def run(world: World, *arguments: object) -> None:
    """Run `python -m validators` on this repository."""
    cli.main([*map(str, arguments), "--catalog", str(world.catalog)], standalone_mode=False)


def entry(world: World, name: str) -> str:
    """The text of an entry."""
    return (world.root / "playbooks" / "logs" / f"{name}.md").read_text(encoding="utf-8")


def drafted(world: World, before: object, after: object, *more: object) -> str:
    """The entry that is drafted from two snapshots."""
    out = world.root / "playbooks" / "logs" / "2026-11-22-drafted.md"
    out.unlink(missing_ok=True)
    more = "--out", out, "--date", "2026-11-22", *more
    run(world, "draft-entry", "--from", before, "--to", after, *more)
    return out.read_text(encoding="utf-8") if out.exists() else ""


def problems(world: World) -> list[str]:
    """What `check` says of the repository's log."""
    found = check_all(Repository(world.catalog, whole=True))
    return [str(it) for it in found.problems if "logs" in it.path.parts]


def written(text: str) -> str:
    """The entry with everything written that was left open."""
    return text.replace("REWRITE:", "Because")


def both(world: World, name: str, matter: str = "", **after: object) -> None:
    """A case with a record on two releases, `after` being what differs on the second."""
    world.case(name, matter or front())
    world.record(name, "2.13.0")
    world.record(name, "2.15.0", **after)


def test_a_draft_says_what_changed(world: World) -> None:
    """Verdicts by kind, the counts beside each other and marked, and the reason left open."""
    both(world, "fixed", **LATER)
    both(world, "same")
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert (
        "### Limitations that no longer show\n\n`case:fixed`, confirmed on torch 2.13.0 (CPU)"
        in text
    )
    assert (
        "| symptom: graph breaks "
        "| <!-- figure fixed symptom.graph_breaks torch-2.13.0-cpu -->1<!-- /figure --> "
        "| <!-- figure fixed symptom.graph_breaks torch-2.15.0-cpu -->0<!-- /figure --> |"
    ) in text
    assert "cases:\n  fixed: refutes\nevidence: [torch-2.13.0-cpu, torch-2.15.0-cpu]\n" in text
    assert "2 cases" in text
    assert "case:same" not in text
    assert text.count("REWRITE:") == 2
    assert "REWRITE: why, and whether it is fixed upstream." in text


def test_check_refuses_a_draft_until_it_is_written(world: World) -> None:
    """Every open line is named; what the draft itself says stands as it is."""
    both(world, "fixed", **LATER)
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert len(problems(world)) == text.count("REWRITE:")
    world.write("playbooks/logs/2026-11-22-drafted.md", written(text))
    assert problems(world) == []


@pytest.mark.parametrize(
    ("kind", "before", "after", "title", "relation"),
    [
        ("limitation", "refuted", "confirmed", "Newly confirmed", "supports"),
        ("practice", "confirmed", "refuted", "Newly refuted", "refutes"),
        ("limitation", "confirmed", "remedy-failed", "The remedy no longer works", "refutes"),
        ("practice", "confirmed", "unstable", "Unstable now", ""),
        ("limitation", "confirmed", "error", "In error now", ""),
        ("limitation", "confirmed", "skipped", "Skipped now", ""),
        ("retraction", "refuted", "confirmed", "Newly confirmed", "refutes"),
        ("retraction", "confirmed", "refuted", "Newly refuted", "supports"),
    ],
)
def test_verdicts_that_changed(
    world: World, kind: str, before: str, after: str, title: str, relation: str
) -> None:
    """The entry does to a case, or to the belief of a retraction, what the later verdict says."""
    believed = {"believed": "It is not so."} if kind == "retraction" else {}
    world.case("one", front(kind=kind, **believed))
    world.record("one", "2.13.0", verdict=before, reason="as it was")
    world.record("one", "2.15.0", verdict=after, reason="as it is")
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert f"### {title}\n\n`case:one`, {before} on torch 2.13.0 (CPU) (as it was), {after}" in text
    assert ("  one:" in text) == bool(relation)
    assert f"  one: {relation}" in text or not relation
    world.write("playbooks/logs/2026-11-22-drafted.md", written(text))
    assert problems(world) == []


def test_counts_that_changed_under_the_same_verdict(world: World) -> None:
    """They change nothing about the case; times are not compared."""
    both(world, "counted", symptom=report(graph_breaks=(BREAK, BREAK)))
    both(world, "timed", front(exclusive="true"), symptom=report(facts={"gain": 3.0}))
    world.record("timed", symptom=report(facts={"gain": 2.0}))
    world.record("timed", "2.15.0", symptom=report(facts={"gain": 3.0}))
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "### Counts and figures\n\n`case:counted`, confirmed in both:" in text
    assert "case:timed" not in text
    assert "\ncases:" not in text


def test_cases_of_one_snapshot_and_stale_ones(world: World) -> None:
    """New and gone cases are listed, a stale record is named, a change of the proof is said."""
    both(world, "one", digest="0000", remedy=report(ops=9))
    world.case("new", front())
    world.record("new", "2.15.0")
    world.case("old", front())
    world.record("old", "2.13.0", verdict="error", reason="it broke")
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "### New cases\n\n- `case:new`: confirmed\n" in text
    assert "### Cases that are gone\n\n- `case:old`: error (it broke)\n" in text
    assert "`case:one` has changed since its record on torch-2.15.0-cpu was made" in text
    assert "The case or its code changed between the two records, too." in text


def test_a_case_that_only_one_snapshot_has_is_a_change(world: World) -> None:
    """Unless it is retired."""
    both(world, "one")
    world.case("new", front())
    world.record("new", "2.15.0")
    assert "`case:new`" in drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    world.case("new", front(withdrawn="it was none"))
    assert drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu") == ""


def test_facts_that_a_mark_or_a_table_cannot_hold(world: World) -> None:
    """A name with a space is not marked, a bar does not end the cell."""
    world.case("one", front())
    world.record("one", remedy=report(facts={"two words": 1, "a|bar": "a|b"}))
    world.record("one", "2.15.0", remedy=report(facts={"two words": 2, "a|bar": "c|d"}))
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "| remedy: `two words` | 1 | 2 |" in text
    assert "| remedy: `a\\|bar` | a\\|b | c\\|d |" in text
    assert problems(world)
    world.write("playbooks/logs/2026-11-22-drafted.md", written(text))
    assert problems(world) == []


def test_where_nothing_changed_nothing_is_written(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, and that is no failure."""
    both(world, "one")
    assert drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu") == ""
    assert capsys.readouterr().err.startswith("Nothing changed from torch-2.13.0-cpu to")


def test_evidence_that_is_not_committed(world: World) -> None:
    """Its numbers stand there as they are, and the entry says where they are from."""
    world.case("one", front())
    world.record("one")
    world.record("one", folder="elsewhere", verdict="refuted", symptom=report())
    world.record("one", "2.15.0", folder="elsewhere", verdict="refuted", symptom=report())
    nightly = f"{world.root}/elsewhere:torch-2.15.0-cpu"
    assert "\nevidence: [torch-2.13.0-cpu]\n" in drafted(world, "torch-2.13.0-cpu", nightly)
    folder = world.root / "elsewhere"
    text = drafted(world, "torch-2.13.0-cpu", f"{folder}:torch-2.13.0-cpu")
    assert "torch-2.13.0-cpu -->1<!-- /figure --> | 0 |" in text
    assert f"- torch 2.13.0 (CPU) in elsewhere: `{folder}`; numbers that" in text
    assert "\nevidence: [torch-2.13.0-cpu]\n" in text
    assert "\ncases:" not in text  # the committed evidence says otherwise
    world.write("playbooks/logs/2026-11-22-drafted.md", written(text))
    assert problems(world) == []


def git(world: World, *arguments: str) -> str:
    """Run git in the repository; returns what it prints."""
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments]
    done = subprocess.run(command, cwd=world.root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def history(world: World) -> World:
    """A repository with a commit, and evidence of three columns that says something else since."""
    both(world, "one")
    world.record("one", "2.11.0")
    git(world, "init", "-q")
    git(world, "add", ".")
    git(world, "commit", "-qm", "as it was")
    for torch in ("2.13.0", "2.15.0"):
        world.record("one", torch, **LATER)
    git(world, "add", ".")
    git(world, "commit", "-qm", "as it is")
    return world


def test_revisions_are_compared_column_by_column(history: World) -> None:
    """The columns that changed have a part each, and name commits; old numbers are not marked."""
    text = drafted(history, "HEAD~1", "HEAD")
    parts = [line for line in text.split("\n") if line.startswith("### ")]
    was, now = (git(history, "rev-parse", "--short=12", it) for it in ("HEAD~1", "HEAD"))
    assert parts == [
        f"### From torch {v} (CPU) at {was} to torch {v} (CPU) at {now}"
        for v in ("2.13.0", "2.15.0")
    ]
    assert "| symptom: graph breaks | 1 | <!-- figure one" in text
    assert text.count("one: refutes") == 1
    history.write("playbooks/logs/2026-11-22-drafted.md", written(text))
    assert problems(history) == []


def test_columns_that_say_opposite_things_of_a_case(history: World) -> None:
    """An entry has one word for a case, and its author is to choose it."""
    history.record("one", "2.15.0")
    git(history, "commit", "-qam", "as it will be")
    history.record("one", "2.13.0")
    history.record("one", "2.15.0", **LATER)
    git(history, "commit", "-qam", "the other way round")
    text = drafted(history, "HEAD~1", "HEAD")
    assert "### From" in text and "\ncases:" not in text


def test_one_column_of_a_revision(history: World) -> None:
    """Compared with the working tree, or with another column."""
    text = drafted(history, "HEAD~1:torch-2.13.0-cpu", "torch-2.13.0-cpu")
    was = git(history, "rev-parse", "--short=12", "HEAD~1")
    assert f"# From torch 2.13.0 (CPU) at {was} to torch 2.13.0 (CPU)\n" in text
    assert drafted(history, "HEAD~1:torch-2.13.0-cpu", "HEAD~1:torch-2.15.0-cpu") == ""
    assert drafted(history, "HEAD~1", "torch-2.13.0-cpu") == text


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("torch-2.9.0-cpu", "HEAD", "torch-2.9.0-cpu: is not a folder of evidence"),
        ("--help", "HEAD", "--help: is not a folder of evidence"),
        ("", "HEAD", "is not a folder of evidence"),
        ("HEAD:torch-2.9.0-cpu", "HEAD", "no such evidence"),
        ("HEAD", "gone", "gone: is not a folder of evidence"),
        ("HEAD", "damaged", "damaged/verdicts/one.json: is not a case's evidence"),
        ("HEAD", "empty", "empty: there is no such evidence"),
        ("HEAD", "torch-2.16.0-cpu", "have no column in common"),
    ],
)
def test_names_that_stand_for_no_evidence(
    history: World, monkeypatch: pytest.MonkeyPatch, before: str, after: str, said: str
) -> None:
    """One sentence: the place, what is wrong, the remedy."""
    history.write("damaged/verdicts/one.json", "{}\n")
    history.write("empty/verdicts/notes.txt", "")
    history.record("one", "2.16.0")
    monkeypatch.chdir(history.root)
    with pytest.raises(CasebookError, match=said) as caught:
        drafted(history, before, after)
    assert "\n" not in str(caught.value)


def test_evidence_of_other_cases(world: World) -> None:
    """That nothing changed cannot be said of what was not compared."""
    world.case("one", front())
    world.record("one")
    for suffix in (".md", ".py"):
        (world.catalog / "graph_breaks" / f"one{suffix}").unlink()
    with pytest.raises(CasebookError, match="hold no record of a case of"):
        drafted(world, "torch-2.13.0-cpu", "torch-2.13.0-cpu")


def test_a_damaged_file_at_a_revision(history: World) -> None:
    """The revision and the file are named."""
    history.write("playbooks/evidence/verdicts/one.json", "{}\n")
    git(history, "commit", "-qam", "damaged")
    git(history, "checkout", "-q", "HEAD~1", "--", "playbooks/evidence")
    with pytest.raises(CasebookError, match=r"verdicts/one.json at [0-9a-f]{12}: is not a case's"):
        drafted(history, "HEAD", "HEAD~1")


def test_a_draft_goes_beside_the_other_entries(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """Named by what it compares and dated today; `-` prints it instead."""
    both(world, "fixed", **LATER)
    compared = "--from", "torch-2.13.0-cpu", "--to", "torch-2.15.0-cpu"
    run(world, "draft-entry", *compared)
    today = datetime.date.today().isoformat()
    text = entry(world, f"{today}-torch-2-13-0-cpu-to-torch-2-15-0-cpu")
    capsys.readouterr()
    run(world, "draft-entry", *compared, "--out", "-")
    assert capsys.readouterr().out == text


def test_a_release_is_compared_with_the_one_before(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """A nightly comes after all releases; other devices are not compared."""
    both(world, "fixed")
    world.record("fixed", "2.15.0", gpu="NVIDIA H100")
    world.record("fixed", "2.16.0.dev20261126", **LATER)
    run(world, "draft-entry", "--to", "torch-2.16.0.dev20261126-cpu", "--out", "-")
    assert "# From torch 2.15.0 (CPU) to torch 2.16.0.dev20261126 (CPU)" in capsys.readouterr().out
    for first in ("torch-2.13.0-cpu", "torch-2.15.0-h100", "HEAD"):
        with pytest.raises(CasebookError, match=f"{first}: no column comes before it"):
            run(world, "draft-entry", "--to", first)
