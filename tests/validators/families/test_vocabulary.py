"""The families of a repository."""

from validators.families import Family, Said, page_of, vocabulary_of
from validators.families.torch_source.found import Found


def test_nothing_recorded(world):
    """Is no error."""
    vocabulary = vocabulary_of(world.repository)
    assert (vocabulary.families, vocabulary.releases, list(vocabulary.headers())) == ((), (), [])


def test_families_by_name_with_their_causes(world):
    """The kind is part of the name."""
    world.record("graph_break", Found(key="GB0170", format="Data-dependent branching"))
    world.record("guard", Found(key="none-match", format="{ref} is None"))
    world.case("one", graph_break={"id": "GB0170", "type": "Data-dependent branching"})
    vocabulary = vocabulary_of(world.repository)
    family = vocabulary.by_name["graph_break", "GB0170"]
    assert [it.case.name for it in vocabulary.causes_of(family)] == ["one"]
    guard = vocabulary.by_name["guard", "none-match"]
    assert vocabulary.causes_of(guard) == ()
    assert (page_of(guard), vocabulary.moved_from(guard)) == ("", {})
    assert page_of(family).endswith("/gb/gb0170.html")


def test_the_title_of_a_family():
    """An exception's is its name; a guard in several forms shows two."""
    said = (Said(format="not {x}", on=("2.13.0",)), Said(format="len({x}) == {n}", on=("2.13.0",)))
    assert Family(kind="guard", key="length", said=said).title == "not {x} or len({x}) == {n}"
    assert Family(kind="exception", key="Failed", said=said).title == "Failed"
    assert Family(kind="warning", key="w", said=said).title == "not {x}"


def test_what_a_release_says():
    """None if it says nothing."""
    family = Family(kind="warning", key="w", said=(Said(format="a", on=("2.9.1",)),))
    assert family.on("2.9.1") is family.newest
    assert family.on("2.13.0") is None
