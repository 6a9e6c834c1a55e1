"""From findings to changes: the lines that findings name, and what the rules make of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from validators.diagnose.findings.finding import Diagnosis, Finding
from validators.diagnose.target.spec import Spec
from validators.files import ROOT
from validators.patch.editing.changes import Change, Left, Scene
from validators.patch.editing.source import Source, parsed
from validators.patch.rules import RULES


def sources_of(diagnosis: Diagnosis, spec: Spec) -> tuple[Source, ...]:
    """The files that findings name, and the target's own, where they belong to the target."""
    root = spec.root
    files = {file for it in diagnosis.findings if (file := _file_of(it, spec)) is not None}
    files |= {spec.file.resolve()} if spec.file else set()
    found = [parsed(it, it.read_bytes()) for it in sorted(files) if it.is_relative_to(root)]
    return tuple(it for it in found if it is not None)


def proposed(
    diagnosis: Diagnosis, spec: Spec, sources: tuple[Source, ...], rules: Sequence[str]
) -> tuple[list[Change], list[Left]]:
    """What the rules change at the lines that findings name, and what they leave as it is."""
    lines: dict[Path, set[int]] = defaultdict(set)
    for it in diagnosis.findings:
        if it.place and (file := _file_of(it, spec)):
            lines[file].add(it.place.line)
    shapes = next(
        (it.measured for it in diagnosis.parts if it.name == "shapes" and not it.failure), {}
    )
    changes: list[Change] = []
    left: list[Left] = []
    for source in sources:
        named = frozenset(lines[source.file])
        own = spec.file is not None and source.file == spec.file.resolve()
        factory = spec.factory if own else ""
        scene = Scene(source, named, sources, diagnosis.trains, factory, shapes)
        for name in rules:
            for found in RULES[name](scene):
                if isinstance(found, Change):
                    changes.append(found)
                else:
                    left.append(found)
    return sorted(changes, key=lambda it: (it.source.file, it.line)), left


def _file_of(finding: Finding, spec: Spec) -> Path | None:
    """The file that a finding names: reports keep no folders."""
    if finding.place is None:
        return None
    name = Path(finding.place.file).expanduser()
    places = (it.resolve() for it in (spec.folder / name, ROOT / name))
    return next((it for it in places if it.is_file()), None)
