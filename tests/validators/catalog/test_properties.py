"""Pages of any content: fields, or problems that can be fixed, and nothing else."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from validators.catalog import FrontMatter, expected_to_hold
from validators.catalog.case import headings
from validators.catalog.frontmatter import GraphBreakRef, Holds, Upstream, read_page
from validators.catalog.logs import load_logs
from validators.catalog.page import InvalidPage
from validators.catalog.proof import InvalidProof, read_proof
from validators.errors import Problem

BODY = "# Title\n\n## Symptom\n\nIt breaks.\n"
# What a page may hold: no control character, no line end but `\n`.
PLAIN = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
TEXT = st.text(st.one_of(PLAIN, st.just("\n"), st.sampled_from("*&!|>%@`'\"#:-{}[],?\\~")))
WORDS = TEXT.filter(str.strip)
RELEASE = st.lists(st.integers(0, 20), min_size=1, max_size=3).map(lambda n: ".".join(map(str, n)))
SPECIFIERS = st.lists(
    st.builds("{}{}".format, st.sampled_from([">=", "<", "==", "!=", ">", "<=", " >= "]), RELEASE),
    max_size=3,
).map(",".join)
VERSIONS = st.one_of(
    st.builds(
        "{}{}{}".format,
        RELEASE,
        st.sampled_from(["", "a0", "rc1", ".dev20260101", ".post1", "a0+gitabc", "b1+", "-custom"]),
        st.sampled_from(["", "+cu130", "+cpu", "+git1234567", "/../../x", " ", "\n"]),
    ),
    st.sampled_from(
        ["", "unknown", "1!2.0", "9" * 5000, "2." + "9" * 5000, "v2.1", "²", "\u0663.\u0661"]
    ),
    st.text(),
)
VARIABLES = st.dictionaries(st.from_regex(r"[A-Z_][A-Z0-9_]{0,8}", fullmatch=True), TEXT)


@cache
def literal(name: str) -> st.SearchStrategy[str]:
    """The words that a field of the front matter may hold."""
    return st.sampled_from(get_args(get_type_hints(FrontMatter)[name]))


@st.composite
def valid_fields(draw: Callable) -> FrontMatter:
    """Front matter as a person might write it."""
    kind = draw(literal("kind"))
    end = draw(st.sampled_from(["", "withdrawn", "superseded_by"]))
    return FrontMatter(
        claim=draw(WORDS),
        kind=kind,
        severity=draw(literal("severity")),
        devices=draw(st.sampled_from([["cpu"], ["cuda"], ["cpu", "cuda"]])),
        believed=draw(WORDS) if kind == "retraction" else "",
        needs=draw(st.lists(TEXT, max_size=2)),
        holds=draw(st.lists(st.builds(Holds, SPECIFIERS, st.just("cpu"), SPECIFIERS), max_size=3)),
        env=draw(st.dictionaries(st.sampled_from(["symptom", "remedy"]), VARIABLES)),
        fresh=draw(st.booleans()),
        timeout=draw(st.floats(0.001, 86_400)),
        memory=draw(st.integers(1, 2**24)),
        signatures=draw(st.lists(st.sampled_from(["a.*b", r"\d+ \(", "x{2}"]), max_size=2)),
        graph_break=draw(st.none() | st.builds(GraphBreakRef, st.just("GB0170"), WORDS)),
        upstream=draw(st.lists(st.builds(Upstream, WORDS, RELEASE | st.just("")), max_size=2)),
        sources=draw(st.lists(WORDS, max_size=2)),
        aliases=draw(st.lists(st.from_regex(r"[a-z0-9][a-z0-9_]{0,8}", fullmatch=True))),
        **({end: draw(WORDS)} if end else {}),
    )


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), TEXT, st.binary(), st.dates(),
    st.datetimes(timezones=st.just(datetime.UTC)), st.integers(10**18, 10**40), st.text(),
)  # fmt: skip
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner),
    max_leaves=8,
)
FIELDS = st.dictionaries(st.sampled_from(FrontMatter.__struct_fields__) | st.text(), DATA)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the pages of all examples."""
    return tmp_path_factory.mktemp("pages")


def is_told(problem: Problem, path: Path, lines: int) -> None:
    """A problem has its place within the file, and a sentence of one line with a remedy."""
    assert problem.path == path
    assert 0 <= problem.line <= lines
    assert "\n" not in str(problem) and str(problem).isprintable()
    sentence, _, remedy = problem.message.rpartition("; ")
    assert sentence and remedy


def outcome(folder: Path, raw: bytes) -> FrontMatter | None:
    """The fields of a page of these bytes; None where it is refused as it should be."""
    page = folder / "page.md"
    page.write_bytes(raw)
    try:
        meta, _, line = read_page(page)
    except InvalidPage as error:
        assert error.problems
        for problem in error.problems:
            is_told(problem, page, raw.count(b"\n") + 1)
        return None
    assert 1 < line <= raw.count(b"\n") + 2
    return meta


def page_of(data: object) -> bytes:
    """A page with `data` as its front matter."""
    front = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    return f"---\n{front}---\n{BODY}".encode("utf-8", "surrogatepass")


@given(valid_fields())
def test_what_is_valid_is_read_back(folder, meta):
    """Fields written as YAML are the fields that are read, whatever their texts hold."""
    assert outcome(folder, page_of(msgspec.to_builtins(meta))) == meta


@given(DATA | FIELDS)
def test_any_document_is_fields_or_problems(folder, data):
    """YAML of every kind, in fields of every kind."""
    outcome(folder, page_of(data))


@given(valid_fields(), st.data())
def test_a_page_with_a_slip(folder, meta, data):
    """A valid page in which bytes were lost, replaced or inserted."""
    raw = page_of(msgspec.to_builtins(meta))
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 20)))
    middle = data.draw(st.binary(max_size=3) | st.sampled_from([b"\r", b"\x85", b"*a", b"\n---\n"]))
    outcome(folder, raw[:start] + middle + raw[end:])


@given(valid_fields(), st.randoms(use_true_random=False))
def test_a_page_with_its_lines_in_disorder(folder, meta, random):
    """Lines that were moved, doubled or lost."""
    lines = page_of(msgspec.to_builtins(meta)).split(b"\n")
    outcome(folder, b"\n".join(random.choices(lines, k=len(lines))))


@given(st.text())
@example("a\r---")
@example("\x85\u2028: [")
@example('"\\ud800"')
@example("memory: 1" + ":1" * 16_000)
@example("&a [*a]")
@example("believed: &a " + "x" * 9000 + "\nsources: [" + "*a," * 7000 + "]")
def test_any_text_is_fields_or_problems(folder, text):
    """Text between the fences, with line ends that only YAML knows."""
    outcome(folder, f"---\n{text}\n---\n{BODY}".encode("utf-8", "surrogatepass"))


@given(st.text() | SPECIFIERS, st.text() | SPECIFIERS, VERSIONS, VERSIONS)
@example("==2.13.0+cu130", "", "2.13.0+cu130", "3.12")
@example(">=" + "9" * 5000, "", "2.13.0", "3.12")
@example("~=2", "", "2.13.0", "3.12")
@example("", "===x", "2.13.0", "3.12")
def test_holds_that_were_accepted_can_be_asked_of_any_version(folder, torch, python, mine, mine_py):
    """Whatever a build calls itself, there is an answer."""
    fields = {"claim": "c", "kind": "limitation", "severity": "low", "devices": ["cpu"]}
    holds = [{"torch": torch, "python": python}]
    if meta := outcome(folder, page_of({**fields, "holds": holds})):
        assert expected_to_hold(meta, mine, "cpu", mine_py) in (True, False)


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_proof_is_source_or_a_problem(folder, raw):
    """A proof is parsed or refused with its place."""
    proof = folder / "proof.py"
    proof.write_bytes(raw)
    try:
        read_proof(proof).imports()
    except InvalidProof as error:
        is_told(error.problem, proof, len(raw.splitlines()) + 1)


@given(st.one_of(DATA, st.fixed_dictionaries({"date": SCALARS, "type": SCALARS}), FIELDS))
def test_any_log_entry_is_fields_or_problems(folder, data):
    """Log entries are read as pages are."""
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    entry = logs / "2026-01-31-x.md"
    entry.write_bytes(page_of(data))
    _, problems = load_logs(logs)
    for problem in problems:
        is_told(problem, entry, entry.read_bytes().count(b"\n") + 1)


@given(st.lists(st.sampled_from(["#", "# ", " ", "a", "\t", "```", "\n"])).map("".join))
@example("# a" + " " * 20_000 + "b")
@example("# " + " #" * 20_000 + "b")
def test_headings_are_lines_of_the_body(text):
    """Each heading stands where it is said to stand; long lines take no long time."""
    lines = text.split("\n")
    for index, level, heading in headings(text):
        assert lines[index].startswith("#" * level)
        assert heading and heading in lines[index]
