"""A few logs and queries, answered from our whole catalog; `check --match` judges all of them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from validators.files import ROOT
from validators.match import Index, search, search_log
from validators.match.knowledge import Knowledge
from validators.repository import Repository

LOGS = {
    "Comfy-Org/ComfyUI#10890": "lru_cache_is_ignored",
    "BuffMcBigHuge/ComfyUI-Zonos#7": "no_cxx_compiler",
    "flashinfer-ai/flashinfer#403": "mutated_input_skips_cudagraphs",
    "MakazhanAlpamys/Soup#335": "orig_mod_prefix",
}
QUERIES = {
    "graph break": "graph_breaks",
    "graph break gb4198": "deepcopy_in_forward",
    "kv_cache_gro": "kv_cache_grown_by_cat",
    "print in forw": "print_in_forward",
    "mark_unbaked": "mark_unbacked_lives_in_decorators",
}
OTHER_LOGS = [
    "",
    "KeyError: 'loss'",
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x3 and 4x3)",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
    "ValueError: tf.function retracing, tensor size mismatch at index 1",
    "ld: please recompile with -fPIC and a new compiler flag",
]
OTHER_QUERIES = ["how to bake bread", "my dog ate it", "?", "asdf qwer zxcv", "a b"]


@pytest.fixture(scope="module")
def index(knowledge: Callable[[Repository], Knowledge]) -> Index:
    """The index of our own catalog, its areas and its guides."""
    return knowledge(Repository(ROOT / "playbooks" / "catalog")).index


@pytest.mark.parametrize("source", LOGS)
def test_a_log_leads_to_its_case(index: Index, source: str) -> None:
    """By a line that only its cause prints, by its family, or by words."""
    lines = (ROOT / "playbooks" / "judged" / "user_logs.jsonl").read_text("utf-8").split("\n")
    (log,) = (json.loads(it)["log"] for it in lines if json.dumps(source) in it)
    best, *_ = search(index, enumerate(log.splitlines(), 1)).matches
    assert best.page.name == LOGS[source]


@pytest.mark.parametrize("text", QUERIES)
def test_a_query_leads_to_its_page(index: Index, text: str) -> None:
    """Also one that is unfinished or misspelt."""
    assert search(index, [(1, text)]).matches[0].page.name == QUERIES[text]


@pytest.mark.parametrize("text", OTHER_LOGS)
def test_a_log_about_something_else_has_no_answer(index: Index, text: str) -> None:
    """Even where a line looks like a signature."""
    assert search_log(index, [(1, text)]).matches == ()


@pytest.mark.parametrize("text", OTHER_QUERIES)
def test_a_query_about_something_else_has_no_answer(index: Index, text: str) -> None:
    """Also where some word of it stands on a page."""
    assert search(index, [(1, text)]).matches == ()
