"""The guide for contributors names what a writer needs, and CONTRIBUTING what is there."""

from __future__ import annotations

import re
from pathlib import Path

from validators import probes
from validators.catalog.frontmatter import FrontMatter

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
GUIDE = (ROOT / "playbooks" / "guides" / "write-a-case.md").read_text("utf-8")
OF_THE_MACHINE = {"Report", "WitnessError", "audit_agrees", "audits", "set_audit"}
"""What probes offer to the worker and to types, and proofs do not use."""


def section(heading: str) -> str:
    """What stands under a heading, up to the next one."""
    return re.split(rf"^#+ {heading}$", GUIDE, flags=re.MULTILINE)[1].split("\n#")[0]


def test_every_field_of_a_page_is_explained() -> None:
    """In the table of the front matter."""
    fields = set(re.findall(r"`(\w+)`", section("Front matter")))
    assert set(FrontMatter.__struct_fields__) - fields == set()


def test_every_probe_is_in_the_table() -> None:
    """So that nobody writes by hand what there is."""
    named = set(re.findall(r"\b\w+\b", section("Probes")))
    assert set(probes.__all__) - OF_THE_MACHINE - named == set()


def test_links_lead_somewhere() -> None:
    """To a file of the repository, or to a heading."""
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {f"#{it.lower().replace(' ', '-').replace(chr(39), '')}" for it in headings}
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(links) > 5
    assert [
        it for it in links if it not in anchors and not (ROOT / it.partition("#")[0]).exists()
    ] == []
