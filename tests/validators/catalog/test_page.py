"""Reading a page: whatever stands there, the answer is fields or a sentence with a line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.catalog.frontmatter import FrontMatter, parse_front_matter, read_page
from validators.catalog.page import MAX_PAGE_BYTES, InvalidPage

PAGE = Path("page.md")
GOOD = "claim: It breaks.\nkind: limitation\nseverity: low\ndevices: [cpu]\n"
TAGS = "!!int !!float !!bool !!null !!timestamp !!binary !!set !!omap "
VALUES = "1 2026-13-45 1e400 .nan x ~ GB0001 ( a{99999999999999999999} \ud800 \0 &a *a << "
PARTS = [
    *(f"{key}: " for key in (*FrontMatter.__struct_fields__, "torch", "id", "symptom", "issue")),
    *(f"{word} " for word in (TAGS + VALUES).split()),
    *"[]{}|>'\"-?:,#\n",
    "\n  ",
    "- ",
]
YAML = st.lists(st.sampled_from(PARTS), max_size=40).map("".join)


def problems_of(source: str) -> list[tuple[int, str]]:
    """The lines and messages that the front matter `source` is refused with."""
    with pytest.raises(InvalidPage) as caught:
        parse_front_matter(PAGE, source)
    return [(problem.line, problem.message) for problem in caught.value.problems]


@given(st.one_of(YAML, YAML.map(lambda text: GOOD + text), st.text()))
def test_front_matter_is_read_or_refused(source):
    """No text makes the reader raise anything but InvalidPage with at least one problem."""
    try:
        assert isinstance(parse_front_matter(PAGE, source), FrontMatter)
    except InvalidPage as error:
        assert all(1 <= p.line <= source.count("\n") + 3 and p.message for p in error.problems)
        assert error.problems


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(opening):
    """Thousands of open collections, which overflow YAML readers' stacks, end in a sentence."""
    for count in (30, 8_000):
        (problem,) = problems_of("claim:\n " + opening * count)
        assert problem == (1, "nests deeper than 20 levels; flatten it")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_page_or_refused(tmp_path_factory, raw):
    """No file makes the reader raise anything but InvalidPage."""
    page = tmp_path_factory.getbasetemp() / "page.md"
    page.write_bytes(b"---\n" + raw)
    with pytest.raises(InvalidPage):
        read_page(page)


@pytest.mark.parametrize(
    ("line", "number", "message"),
    [
        ("severity: dire", 6, "`severity` appears twice; keep one"),
        ("env: {symptom: {A: b, A: c}}", 6, "`A` appears twice; keep one"),
        ("env:\n  symptom:\n    A: b\n    A: c", 9, "`A` appears twice; keep one"),
        ("timeout: -1", 6, "`timeout`: Expected `float` > 0.0; correct the value"),
        ("needs: triton", 6, "`needs`: Expected `array`, got `str`; correct the value"),
        ("holds: [{tourch: '2'}]", 6, "`holds[0].tourch` is not a field; remove it or fix"),
        ("upstream: [{fixed_in: '2'}]", 6, "lacks `upstream[0].issue`; add it"),
        ("graph_break: {id: GB17, type: x}", 6, "`graph_break.id`: Expected `str` matching regex"),
        (
            "graph_break: {id: GB0170, type: f() broke}\nsignatures: ['f\\(\\) broke']",
            7,
            r"`graph_break` finds `f\(\) broke` already",
        ),
        ("signatures: ['(']", 6, "`(` is not a regular expression"),
        ("signatures: ['(a+)+']", 6, "`(a+)+`: `+` repeats a repetition"),
        ("signatures_from: users", 6, "`signatures_from` needs `signatures`"),
        ("alike: {a: ''}", 6, "`alike[...]`: Expected `str` matching regex"),
        ("holds: [{python: '>3.x'}]", 6, "`>3.x` is not a version specifier"),
        ("upstream: [{issue: a, fixed_in: b}]", 6, "`b` is not a version"),
        ("believed: It works.", 6, "`believed` is only for retractions"),
        ("withdrawn: a\nsuperseded_by: b", 6, "`withdrawn` and `superseded_by` exclude"),
        ("author: me", 6, "`author` is not a field"),
        ("sources: a: b", 6, "is not YAML"),
        ("sources: [' ']", 6, "`sources[0]`: Expected `str` matching regex"),
        ("holds: [{torch: '==2.13.0+cu130'}]", 6, "`==2.13.0+cu130` is not a version specifier"),
        ("holds: [{torch: '===2.13.0'}]", 6, "`===2.13.0` is not a version specifier"),
        (f"holds: [{{torch: '>={'9' * 5000}'}}]", 6, "`>=9"),
        (f"upstream: [{{issue: a, fixed_in: '{'9' * 5000}'}}]", 6, "`9"),
        ("timeout: .inf", 6, "`timeout`: Expected `float` <= 86400.0"),
        ("timeout: .nan", 6, "`timeout`: Expected `float` > 0.0"),
        ("memory: 1" + "0" * 40, 6, "`memory`: Expected `int` <= 16777216"),
        ("env: {symptom: {'A=B': c}}", 6, "`env[...]`: Expected `str` matching regex"),
        ("sources: [&a x, *a]", 1, "repeats a value by the alias `*a`; write it out"),
        ('sources: ["\\e[2J"]', 1, "front matter holds the control character U+001B; remove it"),
        ("sources: [" + "x" * 40_000 + "]", 1, "front matter is larger than 32 KiB; move text"),
    ],
)
def test_a_refusal_names_line_field_and_remedy(line, number, message):
    """The front matter's first line is line 2 of the page; a remedy follows the semicolon."""
    ((where, said),) = problems_of(GOOD + line)
    assert (where, said.startswith(message), ";" in said) == (number, True, True), said


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"", 1, "has no front matter; begin the page with a line `---`"),
        (b"# Title\n---\n", 1, "has no front matter; begin the page with a line `---`"),
        (b"---\nclaim: a\n", 1, "front matter is never closed; end it with a line `---`"),
        (b"---\na\n\xff", 3, "is not UTF-8; save the page as UTF-8"),
        (b"---\na\n---\n\x1b[2J", 4, "holds the control character U+001B; remove it"),
        (b"---\na\r---\n", 2, "holds the control character U+000D; remove it"),
        (b"-" * (MAX_PAGE_BYTES + 1), 0, "is larger than 256 KiB; shorten the page"),
        (b"---\n---\n", 1, "`front matter`: Expected `object`, got `null`; correct the value"),
    ],
)
def test_a_file_that_is_no_page(tmp_path, content, line, message):
    """Missing fences, other encodings and files of any size are named as such."""
    page = tmp_path / "page.md"
    page.write_bytes(content)
    with pytest.raises(InvalidPage) as caught:
        read_page(page)
    assert [(p.line, p.message) for p in caught.value.problems] == [(line, message)]


def test_body_and_its_line(tmp_path):
    """The body keeps its text, also with Windows line ends; its first line is counted."""
    page = tmp_path / "page.md"
    page.write_bytes(f"---\n{GOOD}---\n# Title\n\n---\nend".replace("\n", "\r\n").encode())
    meta, body, line = read_page(page)
    assert (meta.claim, body, line) == ("It breaks.", "# Title\n\n---\nend", 7)
