"""A synthetic repository, and one with every defect that the checks know."""

from __future__ import annotations

import pytest

from validators.catalog import load_catalog
from validators.checks import check_all
from validators.evidence import write_record
from validators.evidence.stored.store import reports_file
from validators.repository import Repository

COLUMN = "torch-2.13.0-cpu"
FUNCTIONS = "def symptom(x): ...\ndef remedy(x): ...\ndef shows(x): ...\n"
FENCED = "# Title\n\n## Symptom\n\nA.\n\n## Why\n\n```\n## Remedy\n```\n\n## How to tell\n"


@pytest.fixture
def check(tmp_path, monkeypatch):
    """Checks the repository in `tmp_path`: what was read, and the problems as they are printed."""
    monkeypatch.chdir(tmp_path)

    def run():
        playbooks = tmp_path / "playbooks"
        found = check_all(Repository(playbooks / "catalog", whole=True))
        return found.checked, [str(problem) for problem in found.problems]

    return run


@pytest.fixture
def write(tmp_path):
    """Writes a file of the repository in `tmp_path`, folders included."""

    def write(path, content):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.fixture
def broken(tmp_path, write, write_case, make_record):
    """A repository with one defect of each kind."""
    root = tmp_path / "playbooks/catalog"
    _write_broken_pages(root, write, write_case)
    _write_broken_proofs(root, write, write_case)
    _write_broken_evidence(root, write, write_case, make_record)
    _write_broken_prose(write)
    _write_broken_logs(write)
    _write_broken_sources(write)
    _write_broken_gpu_order(write)
    _write_broken_skills(write)
    _write_broken_task(write)


def _write_broken_pages(root, write, write_case):
    areas = "[guards, memory, numerics, training, memory]"
    casebook = f"---\ntitle: A\nabout: It.\ndescription: It.\nareas: {areas}\n"
    write("playbooks/casebook.yaml", casebook)
    write("playbooks/catalog/guards/no_page.py", "")
    write("playbooks/catalog/guards/no_front_matter.md", "# Title\n")
    write("playbooks/catalog/guards/not_yaml.md", "---\nclaim: a: b\n---\n")
    write_case(root, "guards", "no_proof").with_suffix(".py").unlink()
    write_case(root, "guards", "bad_severity", severity="dire")
    write_case(root, "guards", "unknown_field", author="A person")
    write_case(root, "guards", "bad_holds", holds=[{"torch": "2.13+"}])
    write_case(root, "guards", "bad_fixed_in", upstream=[{"issue": "#1", "fixed_in": "soon"}])
    write_case(root, "guards", "no_believed", kind="retraction")
    write_case(root, "gards", "bad_area")
    write_case(root, "guards", "bad_outline", body=FENCED)
    write_case(root, "guards", "no_title", body=FENCED.replace("# Title", "").replace("```", ""))
    write_case(root, "guards", "no_sections", body="# Title\n")
    write_case(root, "guards", "unknown_need", needs=["tritn"])
    write_case(root, "guards", "unknown_alike", alike={"nothing": "it says so"})
    write_case(root, "guards", "timed_on_cpu", devices=["cpu", "cuda"], exclusive=True)
    long = "It is no graph break that Dynamo, when it compiles a frame, tells of: " + "so " * 9
    write_case(root, "guards", "wordy", summary=long, fix="Rewrite the model.")
    write_case(root, "guards", "wordless", summary="", fix="")
    write_case(root, "guards", "copy")
    write_case(root, "guards", "a-dash")
    write_case(root, "memory", "alias", aliases=["unknown_need"])
    write_case(root, "memory", "twin")
    write_case(root, "numerics", "twin")
    write("playbooks/catalog/stray.md", "")
    write("playbooks/catalog/guards/data.json", "{}")
    write("playbooks/catalog/guards/.swap", "")
    write("playbooks/catalog/guards/deep/stray.py", "")
    write_case(root, "memory", "replaced", superseded_by="nothing")
    write_case(root, "memory", "cpu_only", devices=["cpu"])


def _write_broken_proofs(root, write, write_case):
    write_case(root, "numerics", "not_python", proof="def symptom(:\n")
    write_case(root, "numerics", "not_unicode")
    write("playbooks/catalog/numerics/not_unicode.py", b"# \xff\n")
    functions = "async def symptom(device): ...\ndef remedy(): ...\ndef shows(report, *_): ...\n"
    write_case(root, "numerics", "bad_functions", proof=functions)
    imports = [
        "import numpy",
        "import validators.probes",
        "from validators.probes import Report",
        "from validators.probes.report import Report",
        "from validators import evidence",
        "from . import not_python",
        "import refuted",
    ]
    write_case(root, "numerics", "bad_imports", proof="\n".join(imports) + "\n" + FUNCTIONS)


def _write_broken_evidence(root, write, write_case, make_record):
    folder = root.parent / "evidence"
    names = ("broken", "changed", "failed", "refuted", "same", "wrong_shows", "misplaced", "edited")
    for name in names:
        write_case(root, "training", name)
    write_case(root, "training", "fixed", upstream=[{"issue": "#7", "fixed_in": "2.13"}])
    write_case(root, "training", "belief", kind="retraction", believed="It is so.")
    cases = load_catalog(root).by_name
    failed = {"verdict": "remedy-failed", "shows": {"symptom": True, "remedy": True}}
    for record in [
        make_record(cases["refuted"], verdict="refuted", shows={"symptom": False, "remedy": False}),
        make_record(cases["broken"], verdict="error", reason="it timed out", shows={}),
        make_record(cases["changed"], digest="0"),
        make_record(cases["failed"], **failed),
        make_record(cases["fixed"]),
        make_record("gone"),
        make_record(cases["same"]),
        make_record(cases["wrong_shows"], shows={"symptom": True, "remedy": True}),
        make_record(cases["belief"]),
    ]:
        write_record(folder, record)
    write_record(folder, make_record(cases["misplaced"], column="torch-2.11.0-cpu"))
    write_record(folder, make_record(cases["edited"], torch="2.12.0"))
    edited = reports_file(folder, "edited")
    edited.write_text(edited.read_text().replace("577", "578"))
    write("playbooks/evidence/verdicts/half.json", '{"code": {}, "columns": {')
    write("playbooks/evidence/reports/alone.json", '{"reports": {}}')
    kept = (folder / "environments" / COLUMN).iterdir().__next__().read_text()
    write(f"playbooks/evidence/environments/{COLUMN}/0123456789ab.json", kept)


def _write_broken_prose(write):
    figures = [
        "<!-- figure nothing symptom.ops torch-2.0.0-cpu -->577<!-- /figure -->",
        f"<!-- figure fixed symptom.oops {COLUMN} -->577<!-- /figure -->",
        f"<!-- figure fixed symptom.ops {COLUMN} -->576<!-- /figure -->",
        f"<!-- figure fixed symptom.ops {COLUMN} -->577",
        "<!-- figure fixed symptom.ops -->577<!-- /figure -->",
    ]
    write("README.md", "\n".join(["`case:nothing`", *figures]))
    write("playbooks/guides/not_unicode.md", b"\xff")


def _write_broken_logs(write):
    write("playbooks/logs/2026-02-01-no-type.md", "---\ndate: 2026-02-01\nsummary: One.\n---\n")
    log = "---\ndate: 2026-01-31\ntype: plan\nsummary: One.\ncases: {nothing: supports}\n---\n"
    write("playbooks/logs/2026-01-31-no-case.md", log)
    entries = {
        "2026-02-02-no-proof": "summary: One.\ncases: {fixed: refutes, failed: supports, "
        "belief: supports, same: refutes}\nevidence: [torch-9.9.9-cpu, torch-2.13.0-cpu]",
        "2026-02-02-unwritten": "summary: 'REWRITE: what'\nsupersedes: 2026-02-03-again\n"
        "cases: {failed: refutes, belief: refutes, same: introduces, fixed: introduces}",
        "2026-02-03-again": "summary: One.\ncases: {fixed: introduces, belief: introduces}",
        "2026-02-04-no-column": "summary: One.\nevidence: [cpu]",
        "2026-02-05-hen": "summary: One.\nsupersedes: 2026-02-05-egg",
        "2026-02-05-egg": "summary: One.\nsupersedes: 2026-02-05-hen",
        "2026-02-04-twice": "summary: One.\ncases:\n  same: supports\n  same: refutes",
    }
    for name, fields in entries.items():
        text = f"---\ndate: {name[:10]}\ntype: plan\n{fields}\n---\n\nREWRITE: why\n"
        write(f"playbooks/logs/{name}.md", text.removesuffix("REWRITE: why\n" * ("One." in text)))


def _write_broken_sources(write):
    fields = (
        f"---\ntitle: A\nabout: It.\nlines: 9\nsha256: {'a' * 64}\nno_claim: [1-3, 11]\nentries:\n"
    )
    entries = [
        "{at: [3-4], claim: Two ways., supported_by: [fixed], undecidable: release}",
        "{at: [5], claim: No way.}",
        "{at: [9-6], claim: Backwards., refuted_by: [nothing]}",
        "{at: [3], claim: Untested., rebuilt_by: ['tests/a.py::test_b'], because: It is.}",
    ]
    write("playbooks/sources/gaps.yaml", fields + "".join(f"  - {it}\n" for it in entries))
    unknown = "  - {at: [1-9], claim: A., undecidable: tired, because: It is late.}\n"
    write("playbooks/sources/no_reason.yaml", fields + unknown)
    write("playbooks/sources/no_list.yaml", "title: A\n")
    fields = fields.replace("1-3, 11", "1-8")
    write("playbooks/sources/no_entry.yaml", fields.replace("entries:", "entries: []"))
    merged = "<<: {entries: [{at: [9], claim: Merged.}]}"
    write("playbooks/sources/merged.yaml", fields.replace("entries:", merged))
    entries = [
        "{at: [9], claim: Twice., supported_by: [same, same]}",
        "{at: [9], claim: Retired., refuted_by: [replaced]}",
        "{at: [9], claim: Elsewhere., device: cuda, supported_by: [cpu_only]}",
        "{at: [9], claim: A defect of the page alone., supported_by: [bad_holds]}",
    ]
    write("playbooks/sources/unfit.yaml", fields + "".join(f"  - {it}\n" for it in entries))


def _write_broken_gpu_order(write):
    names = ("fixed", "same", "same", "nothing", "replaced", "bad_holds")
    write(
        "playbooks/first_on_gpu.yaml",
        "---\nfirst:\n" + "".join(f"  - {{case: {name}, why: It is.}}\n" for name in names),
    )


def _write_broken_skills(write):
    write("skills/empty/notes.md", "")
    write("skills/long/SKILL.md", "---\nname: long\ndescription: Use it.\n---\n" + "x\n" * 500)
    write("skills/other/SKILL.md", "---\nname: another\ndescription: Use it.\n---\n")
    write("skills/silent/SKILL.md", "---\nname: silent\n---\n")
    write("skills/wordy/SKILL.md", f"---\nname: wordy\ndescription: {'x' * 1025}\n---\n")


def _write_broken_task(write):
    fields = "---\nskills: [other]\nset: seen\ncases: [twin]\ndifficulty: easy\n"
    grader = "---\ngraphs: 1\nrecompiles: 0\nscript: {run: [run.py]}\n"
    patch = "--- a/net.py\n+++ b/net.py\n@@ -1 +1 @@\n-x = 2\n+x = 3\n"
    write("evals/tasks/no-fields/notes.md", "")
    write("evals/tasks/a-task/task.yaml", fields)
    write("evals/tasks/a-task/task.md", "It is a twin.\n")
    write("evals/tasks/a-task/repo/net.py", "x = 1\n")
    write("evals/tasks/a-task/hidden/grader.yaml", grader)
    write("evals/tasks/a-task/hidden/reference.patch", patch)
