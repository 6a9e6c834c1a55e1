from __future__ import annotations

from docsite.pages.filters import filters, query
from docsite.pages.indexes import index_pages

from tests.world import World, front
from validators.evidence.columns import column
from validators.evidence.words import STATES

GPU = "NVIDIA H200"


def test_only_what_exists_is_offered(world: World) -> None:
    """No area, kind, status or release that no case has."""
    world.case("one", front(devices="[cpu]"))
    world.case("two", front(kind="practice"), area="memory")
    world.record("one", "2.13.0")
    world.record("one", "2.15.0", verdict="refuted")
    found = {f.name: [value for value, _ in f.options or ()] for f in filters(world.load()).fields}
    assert found == {
        "text": [],
        "here": ["bad", "good", "none"],
        "severity": ["medium"],
        "area": ["graph_breaks", "memory"],
        "kind": ["limitation", "practice"],
        "device": ["cpu", "cuda"],
        "status": ["confirmed", "refuted", "undecided"],
        "torch": ["2.15.0", "2.13.0"],
        "from": ["2.15.0", "2.13.0"],
        "to": ["2.15.0", "2.13.0"],
    }


def test_without_evidence_no_release_is_offered(world: World) -> None:
    """A question without an answer is not asked."""
    world.case("one", front())
    names = [f.name for f in filters(world.load()).fields]
    assert names == ["text", "severity", "area", "kind", "device", "status"]


def test_silent_cases_are_those_that_make_results_wrong(world: World) -> None:
    """A remedy whose results differ on purpose is none."""
    world.case("wrong", front(results="{symptom: the stale value is the claim}"))
    world.case("right", front(results="{remedy: it rounds}"))
    found = filters(world.load())
    assert found.silent == {"wrong"}
    assert "silent" in [f.name for f in found.fields]


def test_codes_name_the_state_of_each_column(world: World) -> None:
    """A capital stands where the claim has no meaning; a release without CUDA is undecided."""
    world.case("one", front(devices="[cuda]"))
    world.record("one", verdict="skipped", reason="needs a CUDA device")
    world.record("one", "2.15.0", GPU)
    found = filters(world.load())
    assert found.columns == (
        "cpu cpu 2.13.0;cuda h200 2.15.0;cpu cpu 2.15.0 absent;cuda cuda 2.13.0 absent"
    )
    keys = found.states.split()
    said = [keys[ord(letter.lower()) - ord("a")] for letter in found.codes["one"]]
    assert said == ["na", "confirmed", "na", "undecided"]
    assert [letter.isupper() for letter in found.codes["one"]] == [True, False, True, False]


def test_a_retired_case_is_retired_everywhere(world: World) -> None:
    """What its records say no longer counts."""
    world.case("one", front(withdrawn="wrong"))
    world.record("one")
    (letter,) = set(filters(world.load()).codes["one"])
    assert list(STATES)[ord(letter) - ord("a")] == "retired"


def test_the_address_of_a_count() -> None:
    """A column's GPU is named, since another may have run the same release."""
    assert query("memory", column("torch-2.13.0-h200"), "refuted") == (
        "?area=memory&device=h200&status=refuted&torch=2.13.0"
    )


def test_the_matrix_counts_by_area_and_environment(world: World) -> None:
    """GPUs come first. Every claim with a meaning stands in every column; retired ones in none."""
    world.case("one", front())
    world.case("two", front(devices="[cpu]"), area="memory")
    world.case("old", front(withdrawn="wrong"), area="numerics")
    world.record("one")
    matrix = next(it for it in index_pages(world.load(), []) if it.template == "matrix").model
    counts = {
        it.area: [{state.key: count for state, count in cell} for _, cell in it.cells]
        for it in matrix["tallies"]
    }
    assert counts == {
        "": [{"undecided": 1}, {"confirmed": 1, "undecided": 1}],
        "graph_breaks": [{"undecided": 1}, {"confirmed": 1}],
        "memory": [{}, {"undecided": 1}],
    }
