"""What is kept of what a case printed: evidence, without its machine, the same each time."""

from __future__ import annotations

import yaml

from tools import case_logs
from tools.case_lines import MOST, evidence
from validators.catalog import load_catalog

PREFIX = "V1122 03:44:21.332000 {} torch/_dynamo/guards.py:{}] [0/1] [__recompiles] "
PRINTED = [
    "/home/me/env/lib/python3.11/site-packages/torch/x.py:12: UserWarning: this is slow",
    "  code_of_a_library()",
    "{}Recompiling function f in /home/me/casebook/playbooks/catalog/guards/a_case.py:17",
    "{}    triggered by the following guard failure(s):",
    "{}    - 0/0: ___check_obj_id(x, 140136894472784), type=<class 'a_case.Range'>",
    "{}    - User stack trace:",
    '{}    -   File "/home/me/casebook/playbooks/catalog/guards/a_case.py", line 18, in f',
    "{}    -     self.steps += 1",
    "{}    - 0/1: ___check_obj_id(x, 240136894472784), type=<class 'a_case.Range'>",
    "",
    "Exception: kernel /tmp/casebook-x1/inductor/k.cpp:29 at 0x7f00aa",
]
KEPT = """\
site-packages/torch/x.py:1: UserWarning: this is slow
Recompiling function f in model.py:1
triggered by the following guard failure(s):
- 0/0: ___check_obj_id(x, 1), type=<class 'model.Range'>
Exception: kernel k.cpp:1 at 0x1
"""


def printed(process: int) -> str:
    """PRINTED by that process."""
    return "\n".join(PRINTED).replace("{}", PREFIX.format(process, 5000 + process))


def test_what_stays_is_evidence_and_the_same_each_time() -> None:
    """No frames or code, no paths, times, processes or addresses, and not the case's name."""
    assert evidence(printed(7), "a_case", []) == KEPT
    assert evidence(printed(8), "a_case", []) == KEPT


def test_of_too_many_lines_the_most_telling_stay() -> None:
    """Those with a signature before exceptions, and these before others; in their order."""
    other = [f"A hint of kind {chr(97 + n)}, expected by nobody" for n in range(MOST)]
    lines = [*other, "what users see", "ValueError: bad"]
    kept = evidence("\n".join(lines), "a_case", ["what .* see"]).splitlines()
    assert kept == [*other[: MOST - 2], "what users see", "ValueError: bad"]


def test_two_graph_breaks_keep_their_ids() -> None:
    """Lines that differ in other numbers only are one."""
    text = "see /gb/gb0001.html\nsee /gb/gb0002.html\nsize 1 expected\nsize 2 expected\n"
    assert evidence(text, "a_case", []).splitlines() == text.splitlines()[:3]


def test_exceptions_of_a_report_count_as_printed() -> None:
    """The one that left a call and those among the facts, but for those of an eager run."""
    facts = {
        "first.exception": "KeyError",
        "first.message": "x",
        "eager.exception": "E",
        "eager.message": "y",
        "kernels": ["k"],
    }
    report = {"exception": {"type": "ValueError", "message": "bad"}, "facts": facts}
    assert case_logs.exceptions(report) == ["\nValueError: bad\n", "\nKeyError: x\n"]


def test_releases_that_print_the_same_share_an_entry(tmp_path, write_case, monkeypatch) -> None:
    """Those recorded elsewhere stay, and a case that prints nothing has no file."""
    root = tmp_path / "playbooks" / "catalog"
    for name in ("a_case", "silent"):
        write_case(root, "guards", name)
    cases = load_catalog(root).cases
    monkeypatch.setattr(case_logs, "PRINTED", tmp_path / "printed")
    monkeypatch.setattr(case_logs, "LINES", tmp_path)
    for release, text in (("2.9.1", printed(1)), ("2.11.0", printed(2)), ("2.13.0", "failed: 3")):
        folder = tmp_path / "printed" / release
        folder.mkdir(parents=True)
        (folder / "a_case.txt").write_text(text)
        (folder / "silent.txt").write_text("\n")
    case_logs.distil(cases)
    (tmp_path / "printed" / "2.13.0" / "a_case.txt").unlink()
    (tmp_path / "printed" / "2.11.0" / "a_case.txt").write_text("")
    case_logs.distil(cases)
    assert yaml.safe_load((tmp_path / "a_case.yaml").read_text()) == [
        {"torch": ["2.9.1"], "log": KEPT},
        {"torch": ["2.13.0"], "log": "failed: 3\n"},
    ]
    assert not (tmp_path / "silent.yaml").exists()
