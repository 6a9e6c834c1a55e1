"""One repository with every defect, one with none, and one that is large."""

from __future__ import annotations

from pathlib import Path

from validators.catalog import load_catalog
from validators.evidence import write_record

COLUMN = "torch-2.13.0-cpu"
EXPECTED = Path(__file__).with_name("problems.txt")


def test_a_healthy_repository_has_no_problem(tmp_path, check, write, write_case, make_record):
    """A catalog, its evidence, prose that cites both, a log entry, a list and a skill pass."""
    root = tmp_path / "playbooks/catalog"
    proof = "import numpy\nimport torch.nn\nfrom reference_models import vlm\n"
    proof += "".join(f"def {name}(x): ...\n" for name in ("symptom", "remedy", "shows"))
    write_case(
        root,
        "guards",
        "good",
        aliases=["better"],
        needs=["numpy"],
        proof=proof,
        holds=[{"torch": ">=2.13,<2.15"}],
        upstream=[{"issue": "pytorch/pytorch#1", "fixed_in": "2.15"}],
    )
    write_case(root, "memory", "old", superseded_by="good", upstream=[{"issue": "x"}])
    case = load_catalog(root).by_name["good"]
    evidence = tmp_path / "playbooks/evidence"
    write_record(evidence, make_record(case))
    write_record(evidence, make_record("old", verdict="error", reason="it is retired"))
    refuted = {"verdict": "refuted", "shows": {"symptom": False, "remedy": False}}
    write_record(evidence, make_record(case, torch="2.15.0", **refuted))
    figure = f"<!-- figure good symptom.ops {COLUMN} -->577<!-- /figure -->"
    write("README.md", f"{figure} ops, see `case:good`.\n")
    write("playbooks/guides/guide.md", "See `case:better`.\n")
    log = "---\ndate: 2026-01-31\ntype: observation\nsummary: One.\ncases: {good: supports}\n---\n"
    write("playbooks/logs/2026-01-31-first.md", log)
    source = f"---\ntitle: A\nabout: It.\nlines: 4\nsha256: {'a' * 64}\nno_claim: [1]\nentries:\n"
    source += "  - {at: [2, 4], claim: It is so., supported_by: [good], refuted_by: []}\n"
    source += "  - {at: [3-4], claim: It is not., undecidable: hardware, because: None here.}\n"
    write("playbooks/sources/a-document.yaml", source)
    skill = "---\nname: a-skill\ndescription: Use when it is slow.\nallowed-tools: Read\n---\n# A\n"
    write("skills/a-skill/SKILL.md", skill)
    checked, problems = check()
    assert problems == []
    assert checked == {
        "cases": 2,
        "records": 3,
        "pages of prose": 6,
        "log entries": 1,
        "source claims": 2,
        "skills": 1,
        "evaluation tasks": 0,
    }


def test_each_defect_is_found_once(check, broken):
    """A repository with one defect of each kind yields exactly these problems."""
    assert check()[1] == EXPECTED.read_text().splitlines()


def test_an_empty_catalog_is_a_problem(tmp_path, check):
    """Finding nothing is a defect, not a success."""
    (tmp_path / "playbooks/catalog").mkdir(parents=True)
    problem = "playbooks/catalog: holds no case; write one with `new AREA NAME`"
    assert check()[1] == [problem]


def test_a_log_needs_no_case(tmp_path, check, write):
    """Where a log was imported, cases come later."""
    (tmp_path / "playbooks/catalog").mkdir(parents=True)
    write("playbooks/logs/2026-01-31-x.md", "---\ndate: 2026-01-31\ntype: plan\nsummary: X.\n---\n")
    assert check()[1] == []


def test_many_cases_take_little_time(tmp_path, takes_loops, write_case, make_record):
    """The whole check is fast enough to run on every save; the bound is generous."""
    root = tmp_path / "playbooks/catalog"
    figure = "<!-- figure case_{0} symptom.ops " + COLUMN + " -->577<!-- /figure -->"
    body = write_case(root, "guards", "case_0").read_text().split("---\n")[2]
    for number in range(350):
        text = body + figure.format(number) + f" `case:case_{number}`\n"
        write_case(root, "guards", f"case_{number}", body=text)
    for case in load_catalog(root).cases:
        write_record(tmp_path / "playbooks/evidence", make_record(case))
        write_record(tmp_path / "playbooks/evidence", make_record(case, torch="2.14.0"))
    before = """
from pathlib import Path
from validators.checks import check_all
from validators.repository import Repository
"""
    work = """
found = check_all(Repository(Path("playbooks/catalog").absolute(), whole=True))
assert (found.checked["cases"], found.checked["records"], found.problems) == (350, 700, [])
"""
    takes_loops(before, work, at_most=30, folder=tmp_path)
