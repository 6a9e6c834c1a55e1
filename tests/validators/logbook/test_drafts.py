"""Entries of the log that are begun by a program, and refused until a person has written them."""

from __future__ import annotations

import subprocess

import pytest

from tests.validators.logbook.conftest import problems, run
from tests.world import BREAK, World, front, report
from validators.errors import CasebookError

LATER = {"symptom": report(), "shows": {"symptom": False, "remedy": False}, "verdict": "refuted"}
PLACE = "playbooks/logs/2026-11-22-drafted.md"


def drafted(world: World, before: object, after: object) -> str:
    """The entry that is drafted from two snapshots."""
    out = world.root / PLACE
    out.unlink(missing_ok=True)
    dated = "--out", out, "--date", "2026-11-22"
    run(world, "draft-entry", "--from", before, "--to", after, *dated)
    return out.read_text(encoding="utf-8") if out.exists() else ""


def accepted(world: World, text: str) -> bool:
    """Whether `check` takes the entry once everything is written that was left open."""
    world.write(PLACE, text.replace("REWRITE:", "Because"))
    return problems(world) == []


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
        "#### Limitations that no longer show\n\n`case:fixed`, confirmed on torch 2.13.0 (CPU)"
        in text
    )
    assert (
        "| `symptom.graph_breaks` "
        "| <!-- figure fixed symptom.graph_breaks torch-2.13.0-cpu -->1<!-- /figure --> "
        "| <!-- figure fixed symptom.graph_breaks torch-2.15.0-cpu -->0<!-- /figure --> |"
    ) in text
    assert "cases:\n  fixed: refutes\nevidence: [torch-2.13.0-cpu, torch-2.15.0-cpu]\n" in text
    assert "2 cases" in text
    assert "case:same" not in text
    assert "draft-entry --from torch-2.13.0-cpu --to torch-2.15.0-cpu`" in text
    assert len(problems(world)) == text.count("REWRITE:") == 2
    assert accepted(world, text)


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
    assert accepted(world, text)


def test_counts_that_changed_under_the_same_verdict(world: World) -> None:
    """They change nothing about the case; times are not compared; a changed proof is named."""
    both(world, "counted", symptom=report(graph_breaks=(BREAK, BREAK)), digest="0000")
    both(world, "timed", front(exclusive="true"), symptom=report(facts={"gain": 3.0}))
    world.record("timed", symptom=report(facts={"gain": 2.0}))
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "#### Counts and figures\n\n`case:counted`, confirmed in both:" in text
    assert "The case or its code changed between the two records, too." in text
    assert "case:timed" not in text
    assert "\ncases:" not in text


def test_cases_of_one_snapshot(world: World) -> None:
    """New and gone cases are listed, unless they are retired; if nothing changed, it is said."""
    both(world, "one")
    world.case("new", front())
    world.record("new", "2.15.0")
    world.case("old", front())
    world.record("old", "2.13.0", verdict="error", reason="it broke")
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "#### New cases\n\n- `new`: confirmed\n" in text
    assert "#### Cases that are gone\n\n- `old`: error (it broke)\n" in text


def test_where_nothing_changed_nothing_is_written(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said, and that is no failure; a retired case is no news."""
    both(world, "one")
    world.case("new", front(withdrawn="it was none"))
    world.record("new", "2.15.0")
    assert drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu") == ""
    assert capsys.readouterr().err.startswith("Nothing changed from torch-2.13.0-cpu to")


def test_facts_that_a_mark_or_a_table_cannot_hold(world: World) -> None:
    """A name with a space is not marked, a bar does not end the cell."""
    world.case("one", front())
    world.record("one", remedy=report(facts={"two words": 1, "a|bar": "a|b"}))
    world.record("one", "2.15.0", remedy=report(facts={"two words": 2, "a|bar": "c|d"}))
    text = drafted(world, "torch-2.13.0-cpu", "torch-2.15.0-cpu")
    assert "| `remedy.facts.two words` | 1 | 2 |" in text
    assert "| `remedy.facts.a\\|bar` | a\\|b | c\\|d |" in text
    assert accepted(world, text)


def test_evidence_that_is_not_committed(world: World) -> None:
    """Its numbers stand there as they are, and the committed evidence decides on relations."""
    world.case("one", front())
    world.record("one")
    for torch in ("2.13.0", "2.15.0"):
        world.record("one", torch, folder="elsewhere", verdict="refuted", symptom=report())
    folder = world.root / "elsewhere"
    nightly = drafted(world, "torch-2.13.0-cpu", f"{folder}:torch-2.15.0-cpu")
    assert "\nevidence: [torch-2.13.0-cpu]\n" in nightly
    text = drafted(world, "torch-2.13.0-cpu", f"{folder}:torch-2.13.0-cpu")
    assert "torch-2.13.0-cpu -->1<!-- /figure --> | 0 |" in text
    assert f"--to {folder}:torch-2.13.0-cpu`" in text
    assert "\nevidence: [torch-2.13.0-cpu]\n" in text
    assert "\ncases:" not in text
    assert accepted(world, text)


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
    git(world, "commit", "-qam", "as it is")
    return world


def test_revisions_are_compared_column_by_column(history: World) -> None:
    """The columns that changed have a part each, and name commits; old numbers are not marked."""
    text = drafted(history, "HEAD~1", "HEAD")
    was, now = (git(history, "rev-parse", "--short=12", it) for it in ("HEAD~1", "HEAD"))
    assert [line for line in text.split("\n") if line.startswith("### ")] == [
        f"### From torch {v} (CPU) at {was} to torch {v} (CPU) at {now}"
        for v in ("2.13.0", "2.15.0")
    ]
    assert "| `symptom.graph_breaks` | 1 | <!-- figure one" in text
    assert text.count("one: refutes") == 1
    assert accepted(history, text)


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
        ("HEAD:torch-2.9.0-cpu", "HEAD", "no such evidence"),
        ("HEAD", "damaged", "damaged/verdicts/one.json: is not a case's evidence"),
        ("HEAD", "empty", "empty: there is no such evidence"),
        ("HEAD", "torch-2.16.0-cpu", "have no column in common"),
        ("HEAD~1", "HEAD~2", "HEAD~2: is not a folder of evidence"),
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
    with pytest.raises(CasebookError, match=r"^[0-9a-f]{12}:verdicts/one.json: is not a case's"):
        drafted(history, "HEAD", "HEAD~1")


def test_a_release_is_compared_with_the_one_before(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    """A nightly comes after all releases; other devices are not compared; `-` prints the entry."""
    both(world, "fixed")
    world.record("fixed", "2.15.0", gpu="NVIDIA H100")
    world.record("fixed", "2.16.0.dev20261126", **LATER)
    nightly = "torch-2.16.0.dev20261126-cpu"
    run(world, "draft-entry", "--to", nightly, "--out", "-")
    text = capsys.readouterr().out
    assert "# From torch 2.15.0 (CPU) to torch 2.16.0.dev20261126 (CPU)" in text
    run(world, "draft-entry", "--to", nightly, "--date", "2026-11-22")
    name = "2026-11-22-torch-2-15-0-cpu-to-torch-2-16-0-dev20261126-cpu.md"
    assert (world.root / "playbooks" / "logs" / name).exists()
    for first in ("torch-2.13.0-cpu", "torch-2.15.0-h100", "HEAD"):
        with pytest.raises(CasebookError, match=f"{first}: no column comes before it"):
            run(world, "draft-entry", "--to", first)
