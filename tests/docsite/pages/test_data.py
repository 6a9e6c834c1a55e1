"""What agents read: `catalog.json` with its schema, and `llms.txt`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
import msgspec
import pytest
from docsite.pages.catalog_file import CatalogFile, catalog_file
from docsite.pages.llms import llms_pages
from docsite.render import Writer

from tests.world import World, front, populate
from validators.evidence.status import Overall
from validators.evidence.words import STATES
from validators.schemas import SCHEMAS, schema_text


@pytest.fixture(scope="module")
def data(site: Path) -> Any:
    """The site's `catalog.json`."""
    return json.loads((site / "catalog.json").read_text("utf-8"))


def case_of(data: Any, name: str) -> Any:
    """One case of the file."""
    return next(case for case in data["cases"] if case["name"] == name)


def test_there_are_words_for_each_state_of_the_schema() -> None:
    """And for no others."""
    assert {state for names in get_args(Overall) for state in get_args(names)} == set(STATES)


def test_the_file_fits_the_schema_that_it_names(site: Path, data: Any) -> None:
    """The site holds both; the types read it back, and it is a line a case."""
    schema = json.loads((site / data["$schema"]).read_text())
    jsonschema.validate(data, schema)
    text = (site / "catalog.json").read_text("utf-8")
    assert len(msgspec.json.decode(text, type=CatalogFile).cases) == 5
    assert sum('"name":"tensor_branch"' in line for line in text.split("\n")) == 1
    assert len(text.split("\n")) == 5 + 3
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "format": 1}, schema)


def test_every_schema_is_on_the_site(site: Path) -> None:
    """As the command `schema` prints it, and that of the catalog beside them."""
    served = {file.stem: file.read_text() for file in (site / "schemas").iterdir()}
    assert served.pop("catalog")
    assert served == {name: schema_text(kind) for name, kind in SCHEMAS.items()}


def test_a_case_has_what_was_written_and_what_was_computed(site: Path, data: Any) -> None:
    """Front matter, addresses that are there, and the status of every column."""
    assert [column["name"] for column in data["columns"]] == [
        "torch-2.13.0-cpu",
        "torch-2.15.0-cpu",
    ]
    open_ = {"claims": 4, "ran": 0, "compiled": 0, "independent": 0, "open": 4}
    totals = {"claims": 4, "decided": 2, "cuda_claims": 4, "cuda_decided": 0, "cuda": open_}
    assert data["totals"] == totals
    case = case_of(data, "tensor_branch")
    assert case["meta"]["claim"] == "A Python branch on a tensor breaks the graph."
    assert case["meta"]["graph_break"]["id"] == "GB0170"
    assert case["meta"]["signatures"] == ["Data-dependent .*"]
    assert case["proof"] == "playbooks/catalog/graph_breaks/tensor_branch.py"
    assert (site / case["url"]).is_file() and (site / case["markdown"]).is_file()
    status = case["status"]
    assert status["overall"] == "confirmed"
    assert status["undecided_on"] == ["cuda"]
    assert status["columns"]["torch-2.13.0-cpu"] == {
        "state": "confirmed",
        "verdict": "confirmed",
        "expected": True,
    }


def test_no_state_is_better_than_what_was_decided(data: Any) -> None:
    """Undecided, stale, surprising and retired are said."""
    never = case_of(data, "never_run")["status"]
    assert never["overall"] == "undecided"
    assert never["columns"]["torch-2.13.0-cpu"] == {"state": "undecided"}
    changed = case_of(data, "changed")["status"]["columns"]["torch-2.13.0-cpu"]
    assert (changed["state"], changed["verdict"], changed["stale"]) == ("stale", "confirmed", True)
    differs = case_of(data, "unbacked_dim")["status"]
    assert differs["overall"] == "differs"
    assert differs["columns"]["torch-2.13.0-cpu"]["surprising"]
    gone = case_of(data, "gone")
    assert (gone["retired"], gone["status"]["overall"]) == (
        "superseded by tensor_branch",
        "retired",
    )


def links_of(text: str) -> dict[str, str]:
    """The targets of a list of links, with what is said of each."""
    return dict(re.findall(r"^- \[[^\]]*\]\(([^)]*)\):? ?(.*)$", text, re.M))


def test_llms_txt_has_the_form_that_llmstxt_org_asks_for(site: Path) -> None:
    """One H1, a quote, sections of links to Markdown."""
    text = (site / "llms.txt").read_text("utf-8")
    assert re.match("# The Compiler & its Casebook\n\n> What `torch.compile` does, decided", text)
    assert len(re.findall(r"^# ", text, re.M)) == 1
    assert "2 of 4 claims are decided" in text
    said = links_of(text)
    assert all((site / url).is_file() for url in said)
    assert {"areas/memory/index.html.md", "guides/decide/index.html.md", "llms-full.txt"} <= set(
        said
    )


def test_llms_full_txt_has_each_claim_with_its_status(site: Path) -> None:
    """In words, and what was believed as no more than that."""
    said = links_of((site / "llms-full.txt").read_text("utf-8"))
    assert said["catalog/never_run/index.html.md"] == (
        "Nobody ran this. **Undecided: no program has run it yet.**"
    )
    assert "**Affects torch 2.13.0" in said["catalog/tensor_branch/index.html.md"]
    assert "Believed, and replaced by this: Marking" in said["catalog/unbacked_dim/index.html.md"]


HOSTILE = "</script><script>alert(1)</script> [x](javascript:1) \x1b]0;owned\x07 \u2028 `<b>`"


def test_hostile_content_is_only_data(world: World) -> None:
    """Evidence that drives terminals or ends lines cannot leave its string, its line, its text."""
    plain = HOSTILE.replace("\x1b", "").replace("\x07", "").replace("\u2028", "")
    world.case("bad", front(json.dumps(plain)), body=f"\n# {plain}\n\n## Symptom\n\nx\n")
    world.record("bad", verdict="error", reason=HOSTILE)
    content = world.load()
    text = catalog_file(content)
    assert not re.search("[\0-\x09\x0b-\x1f\x7f]", text)
    cell = json.loads(text)["cases"][0]["status"]["columns"]["torch-2.13.0-cpu"]
    assert cell["reason"] == HOSTILE
    _, full = (Writer(frozenset()).copy(page) for page in llms_pages(content, []))
    assert "\\<script>" in full and not re.search(r"(?<!\\)<script|(?<!\\)\]\(javascript", full)


def test_equal_inputs_give_equal_bytes(world: World) -> None:
    """The order is the catalog's, whatever the order in which records came."""
    populate(world)
    first = catalog_file(world.load())
    for file in (world.root / "playbooks/evidence/verdicts").iterdir():
        held = json.loads(file.read_text())
        held["columns"] = dict(reversed(held["columns"].items()))
        file.write_text(json.dumps(held))
    assert catalog_file(world.load()) == first
