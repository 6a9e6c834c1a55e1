"""Examples: what both programs print decides, and what *after* computes."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.environment import describe
from validators.evidence.stored.examples import (
    ABSENT,
    SILENT,
    CaseExamples,
    ExampleRun,
    example_digest,
    only_judged_otherwise,
    printed_key,
)
from validators.runner.examples import (
    CUT,
    Tried,
    judge,
    judged_again,
    run_examples,
    shortened,
    unstamped,
)
from validators.runner.processes.outcome import Outcome
from validators.runner.programs import ExampleJob

BRANCH = """import torch

@torch.compile(backend="eager")
def step(x):
    {}
    return x + 1

y = step(torch.ones(3))"""
BREAKS = BRANCH.format("if x.sum() > 0: x = x * 2")
SELECTS = BRANCH.format("x = torch.where(x.sum() > 0, x * 2, x)")


def outcome(
    raised: str = "",
    asserted: bool = False,
    difference: str = "",
    breaks: int = 0,
    graphs: int = 1,
    **fields,
) -> Outcome:
    """How a program ended."""
    compared = {"calls": 1, "difference": difference}
    result = {"raised": raised, "asserted": asserted, "compared": compared, "breaks": breaks}
    result["graphs"] = graphs
    return Outcome(**({"result": result} | fields))


@pytest.fixture
def case(tmp_path, write_case):
    """A case that a printed line "broken" speaks of."""
    write_case(tmp_path, "guards", "a", body=page_with_example("a", "b"), signatures=["broken"])
    return load_catalog(tmp_path).by_name["a"]


@pytest.mark.parametrize(
    ("before", "after", "eager", "printed", "said"),
    [
        (outcome(), outcome(), outcome(), ("is broken", ""), ("confirmed", "")),
        (outcome("KeyError"), outcome(), None, ("broken", ""), ("confirmed", "")),
        (outcome("AssertionError", True), outcome(), None, ("", ""), ("confirmed", "")),
        (outcome(), outcome(), None, ("fine", ""), ("refuted", ABSENT)),
        (
            outcome(breaks=2),
            outcome(breaks=1, graphs=2),
            None,
            ("says it otherwise", ""),
            ("refuted", "before has 2 graph breaks and after 1, though not as the page says"),
        ),
        (
            outcome(graphs=2),
            outcome(breaks=1),
            None,
            ("", ""),
            ("refuted", "before has 2 compiled graphs and after 1, though not as the page says"),
        ),
        (
            outcome("NameError"),
            outcome(),
            None,
            ("", ""),
            ("error", "before raised NameError, which no signature matches"),
        ),
        (
            outcome(),
            outcome(),
            None,
            ("broken", "broken, too"),
            ("remedy-failed", "after shows it, too: broken, too"),
        ),
        (
            outcome(),
            outcome("KeyError"),
            None,
            ("broken", ""),
            ("remedy-failed", "after raised KeyError"),
        ),
        (
            outcome(),
            outcome(),
            outcome(difference="call 0: 1, eager has 2"),
            ("broken", ""),
            (
                "remedy-failed",
                "after does not compute what eager does: call 0: 1, eager has 2",
            ),
        ),
        (
            outcome(),
            outcome(),
            outcome("KeyError"),
            ("broken", ""),
            ("error", "after does not run uncompiled: raised KeyError"),
        ),
        (
            outcome(failure="took longer than 9 s"),
            outcome(),
            None,
            ("", ""),
            ("error", "before: took longer than 9 s"),
        ),
    ],
)
def test_what_is_seen_decides(case, before, after, eager, printed, said):
    """An exception that nobody expects confirms nothing, and nor does a wrong result."""
    assert judge(case, before, after, eager, printed)[:2] == said


def test_what_differs_from_run_to_run_is_left_out():
    """Times, process ids, folders, and the frames of whoever runs the program."""
    stamp = "V1123 05:39:56.045000 25672 torch/x.py:5] [0/0] [__graph_breaks]"
    printed = "\n".join(
        [
            f"{stamp} User code traceback:",
            f"[rank0]:{stamp} of rank 0",
            f'{stamp}   File "<frozen runpy>", line 198, in _run_module_as_main',
            f'{stamp}   File "/x/validators/worker/arm.py", line 61, in perform',
            f"{stamp}     answer = run()",
            f"{stamp}              ^^^^^",
            f'{stamp}   File "example.py", line 9, in <module>',
            f"{stamp}     y = step(x)  # mp/case-1/example.py:9 in f",
            "/home/me/.venv/lib/python3.11/site-packages/torch/x.py:5: UserWarning",
            "fatal error: /tmp/casebook-a_1/29/inductor/po/x.py",
            "-I/home/me/include/python3.10 /home/me/.venv/bin/python -m x",
            "- 6/0: x == 1  # .pyenv/versions/3.11.9/lib/python3.11/inspect.py:7 in f",
            "['g++', '-L/home/me/.pyenv/versions/3.11.9/lib', '-L/home/me/libs/a.so']",
        ]
    )
    clean = "[0/0] [__graph_breaks]"
    assert unstamped(printed).split("\n") == [
        f"{clean} User code traceback:",
        f"{clean} of rank 0",
        f'{clean}   File "example.py", line 9, in <module>',
        f"{clean}     y = step(x)  # example.py:9 in f",
        "lib/python3.11/site-packages/torch/x.py:5: UserWarning",
        "fatal error: inductor/po/x.py",
        "-Iinclude/python3.10 bin/python -m x",
        "- 6/0: x == 1  # lib/python3.11/inspect.py:7 in f",
        "['g++', '-Llib', '-L/home/me/libs/a.so']",
    ]


needs_torch = pytest.mark.skipif(
    not importlib.util.find_spec("torch"), reason="the programs need torch"
)


@pytest.fixture
def tried(tmp_path, write_case, warm):
    """A function that runs examples, given as pairs of programs by name."""

    def run(isolation: str = "fork", **programs: tuple[str, str]) -> dict[str, Tried]:
        for name, pair in programs.items():
            broken = {"graph_break": {"id": "GB0170", "type": "Data-dependent branching"}}
            write_case(tmp_path, "guards", name, body=page_with_example(*pair), **broken)
        env = describe(sys.executable, "cpu")
        seen: dict[str, Tried] = {}
        jobs = [ExampleJob(case, env) for case in load_catalog(tmp_path).cases]
        run_examples(jobs, 2, isolation, None, lambda it: seen.update({it.job.case.name: it}))
        return seen

    return run


@needs_torch
@pytest.mark.slow
def test_programs_run_as_users_run_them(tried):
    """One of each verdict, each from what the programs really do."""
    wrong = SELECTS.replace("return x + 1", "return x + torch.compiler.is_compiling()")
    seen = tried(
        cured=(BREAKS, SELECTS),
        fixed=(SELECTS, SELECTS.replace("2", "3")),
        kept=(BREAKS, BREAKS.replace("2", "3")),
        wrong=(BREAKS, wrong),
        asserted=(SELECTS + "\nassert y.sum() < 0", SELECTS),
        misspelt=("import torch\ntorch.compil(1)", SELECTS),
    )
    assert {name: it.run.verdict for name, it in seen.items()} == {
        "cured": "confirmed",
        "fixed": "refuted",
        "kept": "remedy-failed",
        "wrong": "remedy-failed",
        "asserted": "confirmed",
        "misspelt": "error",
    }
    assert "Data-dependent branching" in seen["cured"].run.line
    assert "not compute what eager does" in seen["wrong"].run.reason


def test_none_begins_when_the_budget_is_spent(case):
    """What is left is left, and no worker is started for it."""
    seen: list[Tried] = []
    run_examples([ExampleJob(case, describe(sys.executable, "cpu"))], 1, "fork", 0, seen.append)
    assert seen == []


@needs_torch
@pytest.mark.slow
def test_a_forked_program_prints_what_a_fresh_one_prints(tried):
    """So that it may be forked, which takes a third of the time."""
    raises = BREAKS + '\nraise ValueError("it ends")'
    forked = tried("fork", breaks=(BREAKS, SELECTS), raises=(raises, SELECTS))
    fresh = tried("fresh", breaks=(BREAKS, SELECTS), raises=(raises, SELECTS))
    for name, it in forked.items():
        assert it.printed == fresh[name].printed, name
        assert "Graph break in user code at example.py:5" in it.printed[0]


def test_a_long_text_keeps_the_line_that_tells():
    """Its beginning and end, and that line between them; each once."""
    text = "a" * 9000 + "\nthe line\n" + "b" * 9000
    assert shortened(text, "the line") == "a" * 6000 + "\n[...]\nthe line\n[...]\n" + "b" * 6000
    assert shortened(text, "") == "a" * 6000 + "\n[...]\n" + "b" * 6000
    assert shortened(f"the line\n{text}", "the line").count("the line") == 1
    assert shortened("short", "the line") == "short"


def stored(case, before: str, after: str = "", **fields) -> tuple[ExampleRun, CaseExamples]:
    """A run of the example of `case`, and the file that holds it."""
    keys = {"before": printed_key(before), "after": printed_key(after)}
    about = {"verdict": "confirmed", "digest": "ran-judge", "torch": "2.13.0"}
    run = ExampleRun(**(about | keys | fields))
    return run, CaseExamples({}, {keys["before"]: before, keys["after"]: after})


@pytest.mark.parametrize(
    ("before", "after", "fields", "line"),
    [
        ("it is broken", "", {"line": "it is"}, "it is broken"),
        ("other words", "", {"line": "other words"}, None),
        ("other words", "", {"line": SILENT}, SILENT),
        ("it is broken", "broken, too", {"line": "it is broken"}, None),
        ("it is broken", f"fine{CUT}fine", {"line": "it is broken"}, None),
        ("fine", "", {"verdict": "refuted", "reason": ABSENT}, ""),
        ("broken now", "", {"verdict": "refuted", "reason": ABSENT}, None),
        (f"fine{CUT}fine", "", {"verdict": "refuted", "reason": ABSENT}, None),
        ("broken", "", {"verdict": "remedy-failed", "line": "broken"}, None),
    ],
)
def test_other_signatures_judge_what_was_printed(case, before, after, fields, line):
    """A run keeps its verdict or has to run again."""
    run, texts = stored(case, before, after, **fields)
    again = judged_again(case, run, texts)
    assert (again and again.line) == line
    assert again is None or (again.verdict, again.digest) == (run.verdict, example_digest(case))


def test_a_digest_tells_what_ran_from_what_judges(tmp_path, write_case):
    """Signatures judge; the programs and their logs are what ran."""
    digests = []
    for number, (signature, after) in enumerate([("broken", "b"), ("other", "b"), ("broken", "c")]):
        root = tmp_path / str(number)
        body = page_with_example("a", after)
        write_case(root, "guards", "a", body=body, signatures=[signature])
        (page,) = load_catalog(root).cases
        digests.append(example_digest(page))
        run, _ = stored(page, "", digest=digests[0])
        assert only_judged_otherwise(page, run) == (signature == "other")
    assert len({*digests}) == 3
