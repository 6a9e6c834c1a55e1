"""Families: all that the compiler can say, read from torch itself, and the cases that cause it.

A family is a graph break's id, a reason for skipping CUDA graphs, a kind of guard, an exception
class or a warning. `vocabulary_of(repository)` has everything; the rest of it alone:

- `load_families(playbooks)`: what is recorded of each release;
- `causes_of(families, repository)`: the cases that cause each family;
- `FamilyLines(families).of(line)`: the families of a line of a log;
- `load_illustrations(playbooks, families)`: pages that only show what prints a family;
- `telling_signatures(case, family)`: the signatures that tell a case from the family's others.

In: what was read from releases of torch, and a catalog. Out: messages, each with its releases and
causes.
Imports: catalog, corpus, evidence, families.torch_source.
"""

from validators.families.causes import HOW, Cause, How, Name, causes_of
from validators.families.family import KINDS, Family, Kind, Said
from validators.families.headers import Header, headers, telling_signatures
from validators.families.illustrations import (
    Illustration,
    load_illustrations,
    load_unreachable,
    not_printed,
)
from validators.families.lines import FamilyLines
from validators.families.moved import Moved, moved_ids
from validators.families.stored import load_families, recorded_releases
from validators.families.vocabulary import (
    GRAPH_BREAK,
    Vocabulary,
    page_of,
    vocabulary_of,
)

__all__ = [
    "GRAPH_BREAK",
    "HOW",
    "KINDS",
    "Cause",
    "Family",
    "FamilyLines",
    "Header",
    "How",
    "Illustration",
    "Kind",
    "Moved",
    "Name",
    "Said",
    "Vocabulary",
    "causes_of",
    "headers",
    "load_families",
    "load_illustrations",
    "load_unreachable",
    "moved_ids",
    "not_printed",
    "page_of",
    "recorded_releases",
    "telling_signatures",
    "vocabulary_of",
]
