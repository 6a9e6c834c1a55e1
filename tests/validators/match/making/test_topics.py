"""Areas and guides as pages of the search: their phrases lead to them, and to no others."""

from __future__ import annotations

import pytest

from validators.errors import CasebookError
from validators.match.making.building import build_index
from validators.match.making.topics import other_pages
from validators.match.search import search
from validators.repository import Repository


@pytest.fixture
def repository(tmp_path, write_case) -> Repository:
    """One area with a case, one guide, and the topics of both."""
    playbooks = tmp_path / "playbooks"
    write_case(playbooks / "catalog", "compile_time", "one")
    (playbooks / "guides").mkdir()
    (playbooks / "guides" / "go.md").write_text("---\ndescription: How.\n---\n# Go on\n")
    (playbooks / "topics.yaml").write_text(
        "areas: {compile_time: {summary: It takes long., asked: [so slow]}}\n"
        "guides: {go: {asked: [what now], tell: ['Look: `case:one`']}}\n"
    )
    return Repository(playbooks / "catalog", [])


def test_areas_and_guides_are_found_by_their_phrases(repository: Repository) -> None:
    """With the title and the summary that lists show."""
    index = build_index(repository.catalog, other_pages(repository))
    for asked, found in {
        "so slow": ("area", "compile_time", "Compile time", "It takes long."),
        "what now?": ("guide", "go", "Go on", "How."),
    }.items():
        page = search(index, [(1, asked)]).matches[0].page
        assert (page.kind, page.name, page.title, page.summary) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("areas: {memory: {}}", "'memory' is no area and no guide; correct or remove it"),
        ("guides: {stay: {}}", "'stay' is no area and no guide; correct or remove it"),
        (
            "areas: {compile_time: {asked: [so slow]}}\nguides: {go: {asked: [So slow!]}}",
            "'soslow' leads to two pages; keep one of the phrases",
        ),
        ("guides: {go: {tell: ['Ask `case:two`']}}", "a step under `tell` cites no case; name one"),
        ("areas: [a]", r"holds no topics \(.*\); correct it"),
    ],
)
def test_a_wrong_topic_is_named(repository: Repository, text: str, said: str) -> None:
    """In a sentence with the file."""
    (repository.playbooks / "topics.yaml").write_text(text)
    with pytest.raises(CasebookError, match=rf"topics\.yaml: {said}"):
        other_pages(repository)


def test_a_topic_has_a_list_of_steps(repository: Repository) -> None:
    """How to tell the causes, each with its case."""
    index = build_index(repository.catalog, other_pages(repository))
    assert search(index, [(1, "what now")]).matches[0].page.steps == ("Look: `case:one`",)


def test_a_casebook_needs_no_topics(repository: Repository) -> None:
    """Its areas and guides are found by their titles."""
    (repository.playbooks / "topics.yaml").unlink()
    assert [it.name for it in other_pages(repository)] == ["compile_time", "go"]
