"""The runner: a fake agent that succeeds, does nothing, cheats, hangs, floods, prints garbage."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from dataclasses import replace

import msgspec
import pytest

from validators.errors import CasebookError
from validators.evals import agent as agents
from validators.evals.agent import Agent, opened_in, tokens_in
from validators.evals.grader import Grade, graded
from validators.evals.run import Trial, attempts, digest_of, keep, read_attempts, refuse_own
from validators.evals.task import load_tasks
from validators.files import ROOT

NAME = "slower-every-step"
SKILLS = ROOT / "skills"


@pytest.fixture
def trial(alone, tasks):
    """A trial of one command on one task."""

    def made(command, arms=("with",), tries=1, minutes=1.0):
        [task] = load_tasks(tasks, (NAME,))
        task = replace(task, about=msgspec.structs.replace(task.about, minutes=minutes))
        return Trial(Agent(command, "fake"), [task], arms, tries, SKILLS, alone)

    return made


def graded_by_hand(*reasons):
    """A grader that always says the same, and what it was asked about."""
    seen = []

    def grade(_task, folder):
        seen.append(folder.joinpath("tideline/model.py").read_bytes())
        return Grade(list(reasons), [])

    return grade, seen


def test_an_agent_that_succeeds(trial, fake):
    """Its change is graded, its tokens and what it opened are kept."""
    grade, seen = graded_by_hand()
    [found] = attempts(trial(fake("succeed")), grade)
    assert (found.outcome, found.tokens, found.status) == ("solved", 1034, 0)
    assert found.opened == ["torch-compile-optimize/SKILL.md"]
    assert "+        self.register_buffer" in found.diff
    assert b"register_buffer" in seen[0]
    assert found.pack == digest_of(SKILLS)


def test_both_arms_and_all_tries(trial, fake, tmp_path):
    """Only the arm `with` has the skills; what is known is not tried again."""
    look = tmp_path / "look.py"
    look.write_text(
        "import pathlib\nfor it in sorted(pathlib.Path('.').rglob('SKILL.md')): print(it)\n"
        "pathlib.Path('new.txt').write_text('x')"
    )
    given = trial(f"python {look}", ("with", "without"), 2)
    found = list(attempts(given, graded_by_hand("no")[0]))
    assert [(it.arm, it.number) for it in found] == [
        ("with", 0),
        ("without", 0),
        ("with", 1),
        ("without", 1),
    ]
    assert [len(it.opened) for it in found] == [6, 0, 6, 0]
    assert all("SKILL.md" not in it.diff for it in found)
    file = tmp_path / "results.jsonl"
    for it in found[:3]:
        keep(it, file)
    rest = list(attempts(given, graded_by_hand("no")[0], read_attempts(file)))
    assert [(it.arm, it.number) for it in rest] == [("without", 1)]


def test_changed_skills_ask_again_only_with_skills(trial, tmp_path):
    """What an agent did without them does not depend on their text."""
    change = 'python -c \'open("new.txt", "w")\''
    given = trial(change, ("with", "without"))
    grade, _ = graded_by_hand("no")
    known = list(attempts(given, grade))
    assert [it.pack for it in known] == [digest_of(SKILLS), ""]
    changed = tmp_path / "skills" / "one"
    changed.mkdir(parents=True)
    (changed / "SKILL.md").write_text("---\n---\n")
    again = list(attempts(replace(given, skills=changed.parent), grade, known))
    assert [(it.arm, it.pack) for it in again] == [("with", digest_of(changed.parent))]


def test_an_agent_that_does_nothing(trial, fake):
    """It fails without being graded."""
    grade, seen = graded_by_hand()
    [found] = attempts(trial(fake("nothing")), grade)
    assert (found.outcome, seen) == ("unchanged", [])


def test_an_agent_that_hangs(trial, fake, tmp_path):
    """It is stopped with all that it started."""
    late = tmp_path / "late"
    [found] = attempts(trial(fake("hang", str(late)), minutes=1 / 60), graded_by_hand()[0])
    assert found.outcome == "hung"
    assert found.seconds < 3
    time.sleep(4.5 - found.seconds)
    assert not late.exists()


def test_a_limit_other_than_the_tasks(trial, fake, tmp_path):
    """It takes the place of the task's own."""
    given = replace(trial(fake("hang", str(tmp_path / "late"))), minutes=1 / 120)
    [found] = attempts(given, graded_by_hand()[0])
    assert (found.outcome, found.seconds < 2) == ("hung", True)


def test_an_agent_that_floods(trial, fake, monkeypatch):
    """It is stopped before it fills the disk."""
    monkeypatch.setattr(agents, "OUTPUT_MOST", 2**20)
    [found] = attempts(trial(fake("flood")), graded_by_hand()[0])
    assert found.outcome == "flooded"


def test_an_agent_that_prints_garbage(trial, fake):
    """Its change is graded all the same; links lead nowhere, bytes that are no text are kept."""
    grade, seen = graded_by_hand("it is no Python")
    [found] = attempts(trial(fake("garbage")), grade)
    assert (found.outcome, found.status, found.tokens) == ("failed", 3, 12)
    assert "link" not in found.diff
    assert seen == [b"\xff\xfe((("]
    assert msgspec.json.decode(msgspec.json.encode(found))["reasons"] == ["it is no Python"]


def test_a_cheat_finds_nothing(trial, fake, tmp_path):
    """Neither its folders nor its variables lead to the hidden grader."""
    command = fake("cheat").replace("python", f"python {tmp_path / 'wrap.py'}", 1)
    (tmp_path / "wrap.py").write_text(
        "import subprocess, sys\n"
        "out = subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True, text=True)\n"
        "open('said.txt', 'w').write(out.stdout + out.stderr)\n"
    )
    [found] = attempts(trial(command), graded_by_hand("no")[0])
    assert "+found []" in found.diff


@pytest.mark.parametrize(
    ("command", "said"),
    [("", "is empty"), ("'x", "close the quote"), ("no-such-agent-here", "No such file")],
)
def test_a_command_that_cannot_start(trial, command, said):
    """One sentence."""
    with pytest.raises(CasebookError, match=said):
        list(attempts(trial(command), graded_by_hand()[0]))


@pytest.mark.parametrize(
    ("files", "refused"),
    [
        ((), False),
        (("validators/__init__.py",), False),
        (("validators/__init__.py", "validators/probes/__init__.py"), True),
        (("torch_compile_casebook/__init__.py",), True),
    ],
    ids=["nothing", "another validators", "a checkout", "an installed casebook"],
)
def test_an_interpreter_that_imports_the_casebook(tmp_path, files, refused):
    """Another distribution has the name of our package."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    packages = next(tmp_path.glob("lib/python*/site-packages"))
    for name in files:
        (packages / name).parent.mkdir(exist_ok=True)
        (packages / name).touch()
    with pytest.raises(CasebookError) if refused else contextlib.nullcontext():
        refuse_own(str(tmp_path / "bin" / "python"))


def test_an_interpreter_that_sees_the_casebook(trial, fake, tmp_path):
    """It is refused: both arms would find the catalog."""
    sees = tmp_path / "sees"
    sees.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'raise SystemExit(1)'\n")
    sees.chmod(0o755)
    given = trial(fake("nothing"))
    own = replace(given, env=replace(given.env, python=str(sees)))
    with pytest.raises(CasebookError, match="imports the casebook"):
        list(attempts(own, graded_by_hand()[0]))


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("", None),
        ("tokens: 1,234", 1234),
        ("Tokens used: 7\ntokens: 9", 9),
        ('{"usage": {"input_tokens": 5, "output_tokens": 6}}', 11),
        ('noise\n{"type": "turn", "usage": {"output_tokens": 6}}\n{"type": "end"}', 6),
        ('{\n  "tokens": 3\n}', 3),
        ('{"usage": [1]}\n{"tokens": -4}\n[]', None),
        ("{" * 100_000, None),
    ],
)
def test_tokens(said, tokens):
    """From a documented line or JSON; anything else tells none."""
    assert tokens_in(said) == tokens


def test_what_was_opened():
    """Files of skills, each once."""
    said = 'cat .agents/skills/a-b/SKILL.md; "/x/.claude/skills/a-b/references/index.md".'
    assert opened_in(said + said) == ["a-b/SKILL.md", "a-b/references/index.md"]
    assert opened_in("skills/a/SKILL.md") == []


def test_a_damaged_result(tmp_path):
    """The line is named."""
    file = tmp_path / "results.jsonl"
    file.write_text('{"task": 1}\n')
    with pytest.raises(CasebookError, match=r"results.jsonl:1: is not an attempt"):
        read_attempts(file)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "outcome"), [("succeed", "solved"), ("cheat", "failed")])
def test_the_real_grader_judges(trial, fake, alone, kind, outcome):
    """A fix is accepted; a raised limit beside a planted grader and a rewritten caller is not."""
    [found] = attempts(trial(fake(kind)), lambda task, changed: graded(task, [changed], alone)[0])
    assert found.outcome == outcome, found.reasons
    if kind == "cheat":
        assert any("recompile_limit to 64" in it for it in found.reasons)
