"""The search for queries: what is one, names before words, misspelt and unfinished words."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.conftest import BODY
from validators.catalog import Catalog, load_catalog
from validators.families import Family
from validators.match import Found, Index, search
from validators.match.making.building import OtherPage, build_index
from validators.match.queries import is_query


@pytest.fixture
def small(tmp_path, write_case):
    """Two cases, and a page of another kind."""
    root = tmp_path / "playbooks/catalog"
    fix = "Call `torch.thing.mend_it(x)`."
    write_case(
        root, "guards", "first_one", BODY.replace("# ", "# `break_it` in ", 1), aliases=["old_name"]
    )
    write_case(root, "guards", "second_one", fix=fix, graph_break={"id": "GB0042", "type": "Ouch"})
    page = OtherPage("pain", "area", "Pain", "Where it hurts.", "agony", ("hurts a lot",))
    return build_index(load_catalog(root), [page])


def ask(index: Index, text: str) -> Found:
    """What the search says of `text`."""
    return search(index, enumerate(text.split("\n"), 1))


def names(index: Index, text: str) -> list[str]:
    """The names of the pages that answer."""
    return [it.page.name for it in ask(index, text).matches]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "KeyError: 'loss'",
        'torch._dynamo.exc.Unsupported: no\n  File "model.py", line 3',
        "W1122 00:41:00.1 7 torch/x.py:1] [0/1] slow",
        "[2024-01-01 00:00:00,000] torch._dynamo.convert_frame: [WARNING] slow",
        "my.module: [INFO] done",
        "a\nb\nc\nd",
        "long " * 50,
        "short" + "\n" * 300 + "and a log",
    ],
)
def test_what_programs_print_is_no_query(text: str) -> None:
    """Nor what is long, or nothing at all."""
    assert not is_query([*enumerate(text.split("\n"), 1)])


def test_of_a_log_no_more_is_read_than_tells_it_from_a_query(index, monkeypatch) -> None:
    """However long it is, the search in logs reads it line by line."""
    read = []

    def lines() -> Iterator[tuple[int, str]]:
        for number in range(1, 9999):
            read.append(number)
            yield number, "word " * 20

    monkeypatch.setattr(
        sys.modules["validators.match.search"], "search_log", lambda *_: Found((), "")
    )
    search(index, lines())
    assert len(read) < 10


@pytest.mark.parametrize("text", ["GB0170", "why is\nit slow", "skipping cudagraphs due to", "x"])
def test_a_few_words_are_a_query(text: str) -> None:
    """In one line or in a few."""
    assert is_query([*enumerate(text.split("\n"), 1)])


def test_a_query_needs_no_word_of_the_subject(index: Index) -> None:
    """The same words in a log are about anything."""
    assert not any(phrase in "print in forward" for phrase in index.subject)
    found = ask(index, "print in forward")
    assert found.query and found.matches[0].page.name == "print_in_forward"
    assert not ask(index, "print in forward\n" * 99).matches


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("first_one", "first_one"),
        ("First-One", "first_one"),
        ("first one", "first_one"),
        ("case:first_one", "first_one"),
        ("old-name", "first_one"),
        ("what does first_one mean", "first_one"),
        ("GB0042", "second_one"),
        ("gb42", ""),
        ("gb042", "second_one"),
        ("GB 0042", "second_one"),
        ("is gb0042 bad?", "second_one"),
        ("break_it", "first_one"),
        ("hurts a lot", "pain"),
    ],
)
def test_names_are_found_however_they_are_written(small: Index, text: str, name: str) -> None:
    """Of pages, of breaks, and of what a title holds as code."""
    found = ask(small, text)
    assert [it.page.name for it in found.matches][:1] == ([name] if name else [])
    assert all(it.by != "words" for it in found.matches[:1])


def test_code_of_a_fix_is_no_name(small: Index) -> None:
    """A page whose fix calls a function is not about it."""
    found = ask(small, "torch.thing.mend_it")
    assert all(it.by == "words" for it in found.matches)


def test_a_page_called_so_comes_before_all_others(catalog: Catalog, families: list[Family]) -> None:
    """A topic's phrase is a name of its page, too; the kind of a page is told."""
    others = [
        OtherPage("numerics", "area", "Numerics", aliases=("wrong results",)),
        OtherPage("graph_breaks", "area", "Graph breaks", aliases=("graph break",)),
    ]
    index = build_index(catalog, others, families)
    first = ask(index, "wrong results").matches[0]
    assert (first.page.kind, first.page.name, first.by) == ("area", "numerics", "name")
    assert first.score >= index.rules.called
    assert names(index, "graph break")[0] == "graph_breaks"
    assert names(index, "graph break gb4198")[0] == "deepcopy_in_forward"


def test_a_break_that_nothing_is_known_about_is_named(small: Index) -> None:
    """But not one that has a page of its own."""
    assert ask(small, "GB9999").unexplained == ("GB9999",)
    assert ask(small, "GB0042").unexplained == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mark_unbaked", "mark_unbacked"),
        ("flex_atention", "flex_attention"),
        ("skiping cudagraphs due to mutatd inputs", "skipping cudagraphs due to mutated inputs"),
    ],
)
def test_misspelt_words_are_read_as_what_they_mean(index: Index, written: str, meant: str) -> None:
    """The first page is one of the first of what is meant."""
    assert names(index, written)[0] in names(index, meant)[:3]


def test_the_last_word_may_be_unfinished(index: Index) -> None:
    """Answers come while one types; a word in the middle is finished."""
    assert "kv_cache_grown_by_cat" in names(index, "kv_cache_gro")
    assert names(index, "print in forw")[0] == "print_in_forward"
    assert names(index, "forw of print")[:1] != ["print_in_forward"]


def test_numbers_in_phrases_of_logs_do_not_matter(index: Index) -> None:
    """Nor whether they are there."""
    phrase = "skipping cudagraphs due to mutated inputs"
    for counted in ("", " (2 instances)", " (77 instances).", ", why and how"):
        best = ask(index, phrase + counted).matches[0]
        assert best.page.name == "mutated_input_skips_cudagraphs"
        assert best.lines


def test_the_beginning_of_a_line_counts_in_part(index: Index) -> None:
    """As much of it as is there."""
    whole, part = (
        next(it for it in ask(index, text).matches if it.page.name == "online_softmax_warning")
        for text in ("Online softmax is disabled on the fly", "Online softmax is dis")
    )
    assert whole.lines and part.lines and part.score < whole.score


@pytest.mark.parametrize(
    "text", ["how to bake bread", "my dog ate it", "?", "asdf qwer zxcv", "a b"]
)
def test_a_query_that_nothing_fits_gets_no_answer(index: Index, text: str) -> None:
    """Also where some word of it stands on a page."""
    assert ask(index, text).matches == ()


def test_other_pages_change_no_score_of_a_case(
    index: Index, catalog: Catalog, families: list[Family]
) -> None:
    """They only come between the cases."""
    others = [OtherPage(f"p{n}", "guide", "serverless startup", text="kv cat") for n in range(300)]
    more = build_index(catalog, others, families)
    for text in ("print in forward", "cold startup of a server", "recomplie"):
        alone, among = (search(it, [(1, text)], most=9999).matches for it in (index, more))
        scores = [
            {it.page.name: it.score for it in matches if it.page.kind == "case"}
            for matches in (alone, among)
        ]
        assert scores[0] == scores[1]
