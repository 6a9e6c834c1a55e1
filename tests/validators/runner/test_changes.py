"""Which cases a commit changed, and which of the others are sampled."""

from __future__ import annotations

import subprocess

import pytest

from validators.catalog import load_catalog
from validators.environment import Environment
from validators.errors import CasebookError
from validators.runner.changes import changed_files, changed_since
from validators.runner.plan import Settings, make_plan

NAMES = [f"case_{index:02}" for index in range(30)]


def git(folder, *arguments: str) -> str:
    """What a git command prints in `folder`."""
    author = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(folder), *author, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def catalog(tmp_path, write_case):
    """The folder of a catalog of thirty cases."""
    for name in NAMES:
        write_case(tmp_path / "playbooks" / "catalog", "guards", name)
    return tmp_path / "playbooks" / "catalog"


@pytest.fixture
def repository(catalog):
    """The same, committed, with a file of evidence for each of the first four."""
    root = catalog.parent.parent
    verdicts = catalog.parent / "evidence" / "verdicts"
    verdicts.mkdir(parents=True)
    for name in NAMES[:4]:
        (verdicts / f"{name}.json").write_text("{}\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "catalog: add thirty cases")
    return root


def folders(root):
    """What the command line asks about."""
    return root / "playbooks" / "catalog", root / "playbooks" / "evidence"


def test_a_page_a_proof_or_evidence_that_differs_makes_a_case_changed(repository, write_case):
    """Committed since, only edited, or not even known to git; other files name no case."""
    page, proof = (repository / "playbooks" / "catalog" / "guards" / name for name in NAMES[:2])
    page.with_suffix(".md").write_text(page.with_suffix(".md").read_text() + "More.\n")
    git(repository, "commit", "-qam", "guards: say more")
    proof.with_suffix(".py").write_text("# edited\n")
    (repository / "playbooks" / "evidence" / "verdicts" / f"{NAMES[2]}.json").unlink()
    (repository / "README.md").write_text("See case_03.\n")
    write_case(repository / "playbooks" / "catalog", "guards", "brand_new")
    assert changed_since("HEAD~1", folders(repository)) == {*NAMES[:3], "brand_new"}
    assert changed_since("HEAD", folders(repository)) == {*NAMES[1:3], "brand_new"}


def test_a_move_to_another_area_changes_a_case(repository):
    """Its name stays, and so does its evidence."""
    (repository / "playbooks" / "catalog" / "memory").mkdir()
    for suffix in (".md", ".py"):
        place = f"guards/{NAMES[9]}{suffix}"
        target = f"memory/{NAMES[9]}{suffix}"
        git(repository / "playbooks" / "catalog", "mv", place, target)
    assert changed_since("HEAD", folders(repository)) == {NAMES[9]}


def test_what_git_cannot_tell_is_one_sentence(repository, tmp_path_factory):
    """A revision that is not in this clone, or no repository at all."""
    with pytest.raises(CasebookError, match="--changed-since: git finds no revision 'nowhere'"):
        changed_since("nowhere", folders(repository))
    with pytest.raises(CasebookError, match="git finds no revision 'HEAD'"):
        changed_since("HEAD", [tmp_path_factory.mktemp("bare")])


def test_the_files_that_changed_are_named_from_the_root(repository):
    """Also what is not committed yet; a revision that git does not know is an error."""
    (repository / "new.py").write_text("")
    (repository / "playbooks" / "staged.py").write_text("")
    git(repository, "add", "playbooks")
    assert changed_files("HEAD", repository) == ["playbooks/staged.py", "new.py"]
    with pytest.raises(CasebookError, match="git finds no revision 'nowhere'"):
        changed_files("nowhere", repository)


@pytest.fixture
def chosen(catalog, make_record):
    """A function that gives the cases of a plan in their order, and how many were left out."""
    cases, env = load_catalog(catalog), Environment("p", make_record("a").fingerprint, frozenset())

    def plan(**settings) -> tuple[list[str], int]:
        made = make_plan(cases, [env], {}, {}, Settings(**settings))
        return [job.case.name for job in made.jobs], made.left_out

    return plan


def test_what_changed_runs_first_and_then_the_sample(chosen):
    """The sample holds none of the changed; what neither is, is left out and counted."""
    changed = frozenset({NAMES[29], NAMES[17], "no_case"})
    names, left_out = chosen(changed=changed, sample=5, seed="a")
    assert names[:2] == [NAMES[17], NAMES[29]]
    assert len(set(names)) == 7
    assert left_out == 23


def test_the_sample_rotates_with_its_seed(chosen):
    """One seed always chooses the same, another one others, and all have their turn."""
    assert chosen(sample=5, seed="a") == chosen(sample=5, seed="a")
    assert chosen(sample=5, seed="a") != chosen(sample=5, seed="b")
    seen = {name for seed in range(60) for name in chosen(sample=5, seed=str(seed))[0]}
    assert seen == set(NAMES)


def test_the_sample_does_not_depend_on_the_rest_of_the_catalog(chosen):
    """Where a case that was not chosen is gone, the same others are chosen."""
    names, _ = chosen(sample=5, seed="a")
    gone = next(name for name in NAMES if name not in names)
    kept = tuple(name for name in NAMES if name != gone)
    assert chosen(sample=5, seed="a", only=kept)[0] == names


def test_nothing_changed_and_no_sample_is_nothing_to_do(chosen):
    """An empty choice is no error."""
    assert chosen(changed=frozenset()) == ([], 30)
