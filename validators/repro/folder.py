"""The folder that `repro` writes, and its archive."""

from __future__ import annotations

import io
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

import msgspec

from validators.diagnose.masking.mask import masked
from validators.environment import Environment
from validators.repro.check import NAME, Checked
from validators.repro.goal import Goal
from validators.repro.result import Reproduction
from validators.repro.script import EXITS, FILES, SAVED, Subject

ARCHIVE = "repro.tar.gz"
_STAGES = {
    "eager": "Dynamo: the backend `eager` only traces",
    "aot_eager": "AOTAutograd: the backend `eager` does not show it, `aot_eager` does",
    "aot_eager_decomp_partition": (
        "decompositions or the partitioner: `aot_eager` does not show it,"
        " `aot_eager_decomp_partition` does"
    ),
    "inductor": "Inductor: no backend before it shows it",
}


@dataclass(frozen=True)
class Written:
    """What the folder is about."""

    subject: Subject
    found: Reproduction
    run: Checked
    env: Environment
    folder: Path

    def masked(self, text: str) -> str:
        """The text without home folders, tokens and the folder of the target."""
        return str(masked(text, self.folder))


def write(out: Path, made: Path, it: Written) -> list[str]:
    """Write everything into `out`, and one archive of it; return the names of the files.

    `made` holds the script and what it reads.
    """
    texts = {
        "environment.txt": environment(it),
        "error.txt": it.run.output,
        "trace.log": it.run.trace,
        "issue.md": issue(made, it),
        "README.md": readme(it),
    }
    texts = {name: it.masked(text) for name, text in texts.items() if text}
    out.mkdir(parents=True, exist_ok=True)
    for name in (NAME, SAVED, ARCHIVE, *texts):
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(out / FILES, ignore_errors=True)
    shutil.copytree(made, out, dirs_exist_ok=True)
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8")
    names = sorted(
        list(texts) + [str(file.relative_to(made)) for file in made.rglob("*") if file.is_file()]
    )
    _archive(out, names)
    return [*names, ARCHIVE]


def environment(it: Written) -> str:
    """The versions, devices and variables that a failure may depend on, one a line."""
    known = msgspec.to_builtins(it.env.fingerprint)
    variables = known.pop("variables")
    lines = [f"{name}: {value}" for name, value in known.items() if value]
    packages = it.subject.made["packages"]
    lines += [f"package {name}: {value}" for name, value in packages.items() if name not in known]
    lines += [f"variable {name}: {value}" for name, value in variables.items()]
    return "\n".join(lines) + "\n"


def readme(it: Written) -> str:
    """What the folder holds, how to run it, and what it contains of the user's own."""
    part, finding = it.found.part, it.found.finding
    assert part and finding
    kind = f"`{it.found.type}`"
    where = f"The submodule `{part.path}` ({kind})" if part.path else f"The whole {kind}"
    state = (
        "It was checked in a clean folder: it fails in the same way as the target."
        if it.found.checked
        else f"**It does not fail in the same way as the target**: {it.run.said}"
    )
    lines = [
        f"# {it.subject.goal.title}",
        "",
        "```sh",
        f"python {NAME}",
        "```",
        "",
        *_exits(it.subject.goal),
        "",
        state,
        "",
        f"- {where} of `{it.found.target}` shows it alone, with the backend `{part.backend}`.",
        f"- {_pointing(it)}",
        f"- The script has {it.found.form}.",
    ]
    if finding.explanation.case:
        known = finding.explanation
        lines.append(
            f"- Before you file it, read the case `{known.case}` ({known.known}): {known.fix}"
        )
    lines += [
        "",
        f"`{NAME}` contains source of the model on purpose. Read it before you publish it.",
        *_private(it),
        "`environment.txt` holds the versions, `error.txt` what the script printed"
        + (", `trace.log` what TORCH_TRACE wrote (read it with tlparse)" if it.run.trace else "")
        + ", `issue.md` a draft for pytorch/pytorch. Home folders and tokens are masked.",
    ]
    return "\n".join(lines + _smaller(it)) + "\n"


def _pointing(it: Written) -> str:
    """Which part of the compiler the failure points to."""
    assert it.found.part
    backend = it.found.part.backend
    said = f"This points to {_STAGES[backend]}."
    if it.subject.goal.kind == "crash" and backend == "eager":
        said += " Code that runs while Dynamo traces, such as a fake kernel, may fail as well."
    return said


def _smaller(it: Written) -> list[str]:
    """How torch's own minifier takes over: where Inductor raises, it removes ops of the graph."""
    part = it.found.part
    if it.subject.goal.kind != "crash" or part is None or part.backend != "inductor":
        return []
    settings = "TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=2"
    return [
        "",
        "torch's minifier can remove ops of the graph. It starts a process for each try, so it"
        " takes minutes, and writes a `repro.py` of its own into the current folder:",
        "",
        "```sh",
        "mkdir minified && cd minified",
        f"{settings} python ../{NAME}",
        f"python {_debugging(it)}torch_compile_debug/*/minifier/minifier_launcher.py",
        "```",
    ]


def _debugging(it: Written) -> str:
    """The folder in which the script runs, seen from a folder beside it."""
    copies = it.subject.copies
    moved = "copies" in it.found.form and copies.data
    return f"../{(FILES / copies.start).as_posix()}/" if moved else ""


def _exits(goal: Goal) -> list[str]:
    """What the exit status says, and how to bisect a build of torch by it."""
    run, said = f"python {NAME}", f"Exit status: {EXITS}"
    if goal.killed:
        run = f"sh -c '{run}; s=$?; [ $s -le 128 ] || s=1; exit $s'"
        said = said.replace("1 while it fails", f"none while it fails, as it {goal.pattern}")
    return [
        f"{said} (the last line says why). To find the commit that broke it:",
        "",
        "```sh",
        f"git bisect run {run}",
        "```",
    ]


def _private(it: Written) -> list[str]:
    """What else in the folder is the user's own, and what of it is not there."""
    form, said = it.found.form, []
    if SAVED in form:
        why = "values made from seeds do not fail alike, or no Python text makes them"
        said.append(f"`{SAVED}` contains the recorded parameters and inputs: {why}.")
    if "copies" in form:
        said.append(f"`{FILES}` contains whole files of the model.")
        if data := it.subject.copies.data:
            names = ", ".join(f"`{FILES}/{place.as_posix()}`" for place in data)
            said.append(f"It also contains what the model read: {names}.")
        said += [f"Not copied: {why}." for why in it.found.left_out]
    return said


def issue(made: Path, it: Written) -> str:
    """A draft in the form of PyTorch's template for bugs of `torch.compile`."""
    found = it.found
    assert found.part and found.finding
    ablation = [
        f"- {tried.what}: {'fails' if tried.shows else tried.said}"
        for tried in found.tried
        if tried.what.startswith("backend ")
    ]
    script = (made / NAME).read_text(encoding="utf-8")
    error = it.run.output.strip().splitlines()
    lines = [
        "### 🐛 Describe the bug",
        "",
        f"{it.subject.goal.title} (torch {found.torch}).",
        _pointing(it),
        "",
        "Which backend fails:",
        "",
        *ablation,
        "",
        f"`python {NAME}` (exit status: {EXITS}):",
        "",
        "```python",
        script.rstrip(),
        "```",
        "",
        "### Error logs",
        "",
        "```text",
        *error[-60:],
        "```",
        "",
        "### Versions",
        "",
        "```text",
        environment(it).rstrip(),
        "```",
    ]
    return "\n".join(lines) + "\n"


def _archive(out: Path, names: list[str]) -> None:
    """All files as one archive, without the user's name and the time."""
    with tarfile.open(out / ARCHIVE, "w:gz") as archive:
        for name in names:
            data = (out / name).read_bytes()
            entry = tarfile.TarInfo(f"repro/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
