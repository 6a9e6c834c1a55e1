"""The search in logs: exact evidence before words, silence about other subjects, the release."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validators.catalog import Catalog, load_catalog
from validators.catalog.page import CONTROL
from validators.families import Family
from validators.families.patterns import signatures_of
from validators.files import ROOT
from validators.match import Found, Index, read_lines, search, search_log
from validators.match.index import Signature
from validators.match.language.terms import terms_of
from validators.match.making.building import OtherPage, build_index
from validators.match.making.places import place_of_literal
from validators.match.words import words_of


def found(index: Index, text: str) -> Found:
    """What the search says of `text` as a log."""
    return search_log(index, enumerate(text.split("\n"), 1))


def test_a_signature_comes_first_and_names_its_line(index: Index) -> None:
    """Behind a logger's prefix, among other lines."""
    text = (
        "step 1\nW1122 00:41:00.1 7 torch/x.py:1] [0/1] Dynamo does not know how to trace builtin"
    )
    best = found(index, f"{text} operator `print`").matches[0]
    assert best.page.name in {"print_in_forward", "print_at_construction"}
    assert [line.number for line in best.lines] == [2]


@pytest.mark.parametrize(
    ("log", "by"),
    [
        ("torch: the frame was skipped", {"one": "family", "other": "family"}),
        ("torch: the frame was skipped\ntorch: line 7", {"one": "line", "other": "family"}),
    ],
)
def test_a_line_that_two_cases_sign_is_not_told_as_evidence_of_one(
    tmp_path, write_case, log: str, by: dict[str, str]
) -> None:
    """Only a line that no other case signs answers by line."""
    root = tmp_path / "playbooks/catalog"
    write_case(root, "guards", "one", signatures=["the frame was skipped", r"torch: line \d"])
    write_case(root, "guards", "other", signatures=["torch: the frame was skipped"])
    matches = found(build_index(load_catalog(root)), log).matches
    assert {it.page.name: it.by for it in matches} == by


def test_a_graph_break_id_is_exact_evidence_once(index: Index) -> None:
    """Its link is enough, and a hundred of them are no more than one."""
    link = "see https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html {}"
    once = found(index, link.format("")).matches[0]
    assert once.page.name in {index.cases[number] for number in index.breaks["gb0170"]}
    many = "\n".join(link.format(chr(97 + n % 26) * (n + 1)) for n in range(100))
    assert found(index, many).matches[0].score == once.score


def test_a_graph_break_type_is_exact_evidence_without_an_id(index: Index) -> None:
    """As torch wrote it before breaks had ids; a longer type is another's."""
    broke = "torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped"
    assert "c_extension_call" in {it.page.name for it in found(index, broke).matches if it.lines}
    longer = "torch._dynamo.exc.Unsupported: Dynamic shape operator"
    assert "boolean_mask_read" in {it.page.name for it in found(index, longer).matches if it.lines}
    assert not [it for it in found(index, f"{longer} (no meta kernel)").matches if it.lines]


def test_a_break_without_a_case_is_named(index: Index) -> None:
    """Once, in a log about the subject; what is known of is left out."""
    text = "torch._dynamo.exc.Unsupported: x\nsee gb/gb9999.html GB0170\nand gb/gb9999.html"
    assert found(index, text).unexplained == ("GB9999",)
    assert found(index, "my editor reads gb2312").unexplained == ()


def test_words_find_what_no_signature_does(index: Index) -> None:
    """A sentence of a user's own."""
    matches = found(index, "my kv cache grown with torch.cat recompiles at each token").matches
    assert "kv_cache_grown_by_cat" in [match.page.name for match in matches[:3]]


def test_words_of_any_log_weigh_less(tmp_path, write_case) -> None:
    """Where counts beside the catalog say that a word is common."""
    root = tmp_path / "playbooks" / "catalog"
    for name in ("first", "second", "third"):
        write_case(root, "guards", name)
    rare = words_of(build_index(load_catalog(root))).postings["second"]
    (root.parent / "match_terms.yaml").write_text("{logs: 19, frequencies: {second: 18}}\n")
    common = words_of(build_index(load_catalog(root))).postings.get("second", {})
    assert common.get(1, 0) < rare[1]


def test_other_pages_explain_no_log(index: Index, catalog: Catalog, families: list[Family]) -> None:
    """And change no answer about one."""
    text = "torch._dynamo hit config.recompile_limit (8)\nwarning: GB0170"
    page = OtherPage("GB0170", "break", text, "torch._dynamo hit", text, ("recompile_limit",))
    assert found(build_index(catalog, [page], families), text) == found(index, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "KeyError: 'loss'",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 4x3)",
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "ValueError: tf.function retracing, tensor size mismatch at index 1",
    ],
)
def test_other_subjects_are_met_with_silence(index: Index, text: str) -> None:
    """Even where a line looks like a signature."""
    assert found(index, text).matches == ()


def test_what_may_be_the_subject_gets_a_strong_answer_only(index: Index) -> None:
    """Of two texts that hold no phrase of the subject itself."""
    strong = "compile: tensor 'x' size mismatch at index 0. expected 4, actual 8"
    assert not any(phrase in strong.lower() for phrase in index.subject)
    assert found(index, strong).matches
    assert found(index, "ld: please recompile with -fPIC and a new compiler flag").matches == ()


def test_the_release_is_read(index: Index) -> None:
    """As environments and tools print it."""
    for text in ("PyTorch version: 2.7.1+cu126", "torch==2.7.1", "torch 2.7.1", "x torch-2.7.1-cp"):
        assert found(index, f"a\n{text}\nb").torch == "2.7.1"
    assert found(index, "torchvision 0.20").torch == ""


def test_every_literal_stands_in_what_its_pattern_matches() -> None:
    """Else a line would be passed over that has the signature."""
    cases = {
        r"a \(b\) c*d": "a (b) ",
        r"x|y": "",
        r"a long (?:b|c) d": "a long ",
        r"tensor '.*' size": "tensor '",
        r"[ab]?c d": "c d",
        r"ab.{0,200}cde": "cde",
        r"a(b(c)long text)?d e": "d e",
    }
    found = {it: Signature(it, place_of_literal(it), []).literal for it in cases}
    assert found == cases


@pytest.fixture(scope="module")
def signatures() -> list[Signature]:
    """All signatures of our catalog."""
    cases = load_catalog(ROOT / "playbooks" / "catalog").cases
    patterns = {pattern for case in cases for pattern in signatures_of(case)}
    return [Signature(it, place_of_literal(it), []) for it in sorted(patterns)]


@given(st.data())
def test_no_literal_keeps_a_match_away(signatures: list[Signature], data: st.DataObject) -> None:
    """Whatever text a signature of ours matches, its literal is in it."""
    signature = data.draw(st.sampled_from(signatures))
    text = data.draw(st.from_regex(re.compile(signature.pattern)))
    assert signature.literal in text


def test_words_of_a_name_are_found_whole_and_in_parts() -> None:
    """Dotted names, snake case, camel case; endings do not matter."""
    assert set(terms_of("torch._dynamo.mark_dynamic InvalidCxxCompiler recompiles 42")) == {
        "torch._dynamo.mark_dynamic",
        "torch",
        "dynamo",
        "mark_dynamic",
        "mark",
        "dynamic",
        "invalidcxxcompiler",
        "invalid",
        "cxx",
        "compil",
        "recompil",
    }


HOSTILE = st.sampled_from(
    [
        "\x1b[2J\x1b]0;t\x07",
        "<script>alert(1)</script>",
        "\x00" * 50,
        "torch._dynamo hit config.recompile_limit (8) ",
        "[" * 300,
        '{"a": ' * 300,
        "W1122 00:41:00.1 7 x.py:1] " + "[0/1] " * 50,
        "=" * 3000,
        "1" * 3000,
        '  File "' + "/torch/" * 300,
        "Error" * 400 + ":",
        "torch" + "-" * 300,
        "\u2028\r\n",
        "___check_obj_id(" * 100,
    ]
)


@settings(deadline=2000)
@given(st.lists(HOSTILE | st.text(max_size=30) | st.binary(max_size=30), max_size=40))
def test_no_text_does_harm(index: Index, pieces: list[str | bytes]) -> None:
    """Nothing raises or hangs, and what is shown of it can be printed."""
    data = b"".join(
        piece if isinstance(piece, bytes) else piece.encode("utf-8", "surrogatepass")
        for piece in pieces
    )
    answer = search(index, read_lines(io.BytesIO(data)))
    for match in answer.matches:
        assert answer.query or match.lines or not answer.sure
        for line in match.lines:
            assert not CONTROL.search(line.text)


def test_a_megabyte_of_training_log_is_read_quickly(takes_loops: Callable[..., None]) -> None:
    """Its lines differ in numbers, and any of them may go on in the next one."""
    before = """
from pathlib import Path
from validators.catalog import load_catalog
from validators.families import load_families
from validators.match import search_log
from validators.match.making.building import build_index

playbooks = Path("playbooks").resolve()
index = build_index(load_catalog(playbooks / "catalog"), families=load_families(playbooks))
step = "INFO step {0} loss 0.{0} lr 1e-4 grad_norm 1.2 tokens/s {0} on worker number {0} of 64"
lines = [step.format(it) for it in range(12_000)]
assert sum(map(len, lines)) > 950_000
"""
    takes_loops(before, "search_log(index, enumerate(lines, 1))", at_most=8)
