"""A small repository with cases, evidence and prose, made through the real types."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from validators.catalog import load_catalog
from validators.environment import Fingerprint, column_of
from validators.evidence import Record, Reports, digest_of, write_record
from validators.evidence.digests.digest import judge_of, place_of
from validators.probes.report import (
    Call,
    Caught,
    Graph,
    GraphBreak,
    GraphInput,
    Recompile,
    Report,
)

if TYPE_CHECKING:
    from docsite.content import Content

PROOF = """\
import torch

from validators.probes import observe


def scale(x):
    return x * torch.tensor(2.0)


def symptom(device):
    torch._dynamo.mark_unbacked(torch.ones(2), 0)
    return observe(scale, [(torch.ones(4, device=device),)])


def remedy(device):
    return observe(scale, [(torch.ones(4, device=device),)])


def shows(report):
    return len(report.graph_breaks) > 0
"""
BODY = """
# {title}

## Symptom

The frame is split in two.

## Why

Dynamo cannot trace it.

## Remedy

Use `torch.where`.

## How to tell

`TORCH_LOGS=graph_breaks` names the line.
"""


EXAMPLE = """## Example

```python title="before"
{before}
```

```python title="after"
{after}
```

"""


def name_casebook(catalog: Path) -> None:
    """Have commands in the folder around a catalog find it."""
    areas = sorted(folder.name for folder in catalog.iterdir())
    text = f"---\ntitle: A\nabout: It.\ndescription: It.\nareas: [{', '.join(areas)}]\n"
    (catalog.parent / "casebook.yaml").write_text(text)


def page_with_example(before: str, after: str) -> str:
    """The body of a page with these two programs."""
    example = EXAMPLE.format(before=before, after=after)
    return BODY.format(title="T").replace("## Symptom", example + "## Symptom")


GRAPH = Graph(
    compile_id="0/0",
    ops=3,
    targets={"aten.mul": 2, "aten.add": 1},
    inputs=(GraphInput("x", (4, "s0"), "torch.float32"),),
    symbols=("s0",),
    executions=1,
    file="proof.py",
    line=7,
)
BREAK = GraphBreak(
    id="GB0170",
    cause_id="",
    type="Data-dependent branching",
    reason="Detected data-dependent branching\nmore of it",
    file="proof.py",
    line=12,
    skipped_frame=False,
)


def report(**fields: Any) -> dict[str, Any]:
    """An arm's report as its record holds it."""
    plain: dict[str, Any] = {"calls": (Call(1, 1),), "graphs": (GRAPH,), "ops": 3}
    return Report(**(plain | fields)).to_json()


@dataclass
class World:
    """A repository in a folder: write cases, records, logs and skills into it, then load it."""

    root: Path
    extra: list[Path] = field(default_factory=list)

    @property
    def catalog(self) -> Path:
        """The catalog's folder."""
        return self.root / "playbooks" / "catalog"

    def write(self, place: str, text: str) -> Path:
        """Write a file of the repository."""
        file = self.root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def case(self, name: str, front: str, *, area: str = "graph_breaks", body: str = "") -> None:
        """Write one case; `front` is its front matter."""
        title = name.replace("_", " ").capitalize()
        page = f"---\n{front.strip()}\n---\n{body or BODY.format(title=title)}"
        self.write(f"playbooks/catalog/{area}/{name}.md", page)
        self.write(f"playbooks/catalog/{area}/{name}.py", PROOF)

    def record(
        self, name: str, torch: str = "2.13.0", gpu: str = "", *, folder: str = "", **fields: Any
    ) -> None:
        """Write a record of the case as it stands now; a `gpu` like "sm_90" was compiled for."""
        case = load_catalog(self.catalog).by_name[name]
        modules = (place_of(case.proof, self.catalog),)
        fingerprint = Fingerprint(
            torch=f"{torch}+cu130" if gpu else f"{torch}+cpu",
            git="0123abc",
            cuda="13.0" if gpu else "",
            python="3.12.4",
            triton="3.7.0" if gpu else "",
            device=("compiled" if gpu.startswith("sm_") else "cuda") if gpu else "cpu",
            accelerator=gpu,
            driver="580.1" if gpu else "",
            processor="Example CPU",
            compiler="g++ 13",
            os="Linux x86_64",
            variables={},
        )
        reports = {"symptom": report(graph_breaks=(BREAK,)), "remedy": report()}
        reports |= {arm: fields.pop(arm) for arm in reports if arm in fields}
        plain: dict[str, Any] = {
            "case": name,
            "column": column_of(fingerprint),
            "verdict": "confirmed",
            "digest": digest_of(case, modules, self.catalog),
            "judge": judge_of(case),
            "modules": modules,
            "fingerprint": fingerprint,
            "isolation": "fork",
            "repeats": 1,
            "shows": {"symptom": True, "remedy": False},
            "reports": Reports(**reports),
        }
        write_record(self.root / (folder or "playbooks/evidence"), Record(**(plain | fields)))

    def log(self, name: str, front: str, body: str = "") -> None:
        """Write the log entry `name`, dated by its first ten characters; `front` is the rest."""
        text = f"---\ndate: {name[:10]}\ntype: retrospective\n{front.strip()}\n---\n"
        self.write(f"playbooks/logs/{name}.md", text + (body or f"# {name[11:].capitalize()}\n"))

    def load(self) -> Content:
        """Everything that is in the repository, as the site reads it."""
        from docsite.content import load

        return load(self.catalog, self.extra)


def front(claim: str = "A Python branch on a tensor breaks the graph.", **more: str) -> str:
    """Front matter with the fields that every case must have."""
    fields = {"kind": "limitation", "severity": "medium", "devices": "[cpu, cuda]"} | more
    lines = [f"{key}: {value}" for key, value in fields.items()]
    return "\n".join([f"claim: {claim}", *lines])


def entry(cases: str, more: str = "") -> str:
    """Front matter of an entry about `cases`."""
    return f"summary: What we saw.\ncases: {{{cases}}}\n{more}"


def populate(world: World) -> None:
    """Fill the repository with something of every kind."""
    more = {
        "fix": "Use `torch.where`.",
        "graph_break": "{id: GB0170, type: Data-dependent branching}",
        "aliases": "[old_branch]",
        "upstream": "[{issue: pytorch/pytorch#123, fixed_in: 2.15.0}, "
        "{issue: pytorch/pytorch#124}, {issue: pytorch/pytorch#125}]",
        "sources": '["https://example.org/a?b=1", "seen in pytorch/pytorch#77"]',
        "signatures": '["Data-dependent .*"]',
    }
    world.case("tensor_branch", front(**more))
    world.record("tensor_branch", "2.13.0")
    world.record("tensor_branch", "2.15.0")
    retraction = {"kind": "retraction", "believed": "Marking a dim `dynamic` is always enough."}
    body = BODY.format(title="`mark_unbacked` keeps a dim of one") + (
        "\nSee `case:tensor_branch`, which has "
        "<!-- figure tensor_branch symptom.ops torch-2.13.0-cpu -->577<!-- /figure --> ops.\n"
    )
    claim = "With `mark_unbacked` a dim of size 1 is not specialized."
    world.case("unbacked_dim", front(claim, **retraction), area="dynamic_shapes", body=body)
    world.record(
        "unbacked_dim",
        verdict="refuted",
        symptom=report(
            recompiles=(Recompile("0/1", "f", ("x.size(0) == 1",)),),
            exception=Caught("torch.E", "boom <b>", 1),
        ),
    )
    world.record("unbacked_dim", "2.15.0")
    world.case("never_run", front("Nobody ran this."), area="memory")
    world.case("changed", front("This changed."), area="memory")
    world.record("changed", digest="0000")
    world.case("gone", front("This is over.", superseded_by="tensor_branch"), area="memory")
    world.write("playbooks/casebook.yaml", CASEBOOK)
    world.write("skills/compile-vlm/SKILL.md", SKILL)
    world.write(
        "skills/compile-vlm/references/shapes.md", "# Shapes\n\nBack to [it](../SKILL.md).\n"
    )
    world.write(
        "playbooks/guides/decide.md", "# Decide\n\n1. Read `case:tensor_branch`, `case:gone`.\n"
    )
    world.write("playbooks/logs/2026-01-23-first-try.md", LOG)
    world.log("2026-11-05-second-look", LATER)
    world.write("playbooks/sources/old-notes.yaml", SOURCE)
    world.write("playbooks/first_on_gpu.yaml", FIRST)


CASEBOOK = """\
---
title: The Compiler & its Casebook
about: What `torch.compile` does. Programs decide.
description: What `torch.compile` does, decided.
areas: [graph_breaks, dynamic_shapes, memory]
"""
SKILL = """\
---
name: compile-vlm
description: Use when compiling a vision-language model.
---
# Compiling

Avoid branches (`case:tensor_branch`); read [shapes](references/shapes.md).
"""
SOURCE = f"""\
---
title: Old notes
about: What somebody wrote about `torch.compile`.
lines: 9
sha256: {"a" * 64}
no_claim: [1]
entries:
  - {{at: [2, 4-5], claim: A branch on a tensor breaks., supported_by: [old_branch]}}
  - {{at: [3], claim: Dims are safe., claimed: 2 times, refuted_by: [unbacked_dim]}}
  - {{at: [6], claim: It breaks on a GPU., device: cuda, supported_by: [tensor_branch]}}
  - {{at: [7-9], claim: Ours is fast., undecidable: private_run, because: No one has it.}}
"""
FIRST = "---\nfirst:\n  - {case: never_run, why: All else rests on it.}\n"
LATER = """\
summary: A mark keeps a dim dynamic, and it takes the right one.
cases: {old_branch: supports, unbacked_dim: refutes}
supersedes: 2026-01-23-first-try
evidence: [torch-2.15.0-cpu]
"""
LOG = """\
---
date: 2026-01-23
type: retrospective
summary: Branches on tensors were the cause.
cases: {tensor_branch: introduces, unbacked_dim: introduces}
---
# The first try

| a | b |
|---|---|
| 1 | 2 |

Code of all colours, too wide for a telephone:

```python
@decorated  # a comment
class Words(Base):
    '''A docstring.'''

    def method(self, x: int = 1, *, y: float = 1.5) -> None:
        if x not in (1.5, "s", f"{x!r}", None, True) and y is not None:
            raise ValueError(r"\\d" + 'a line that is long enough to scroll on a small screen')
```

```bash
export NAME="$VALUE"; python -m validators run-all --python "${NAME}/bin/python" # a comment
```
"""
