"""The names that pages are held to: those that no sentence uses as a word, in order."""

from __future__ import annotations

import pytest

from tools.subject_names import FILE, TELLING


@pytest.mark.parametrize("name", ["index_put", "relu_", "_check_is_size", "LayerNorm", "LSTM"])
def test_names_that_tell(name: str) -> None:
    """Snake case, camel case, an in-place method, capitals."""
    assert TELLING.fullmatch(name)


@pytest.mark.parametrize("name", ["cat", "Linear", "__init__", "SGD", "T", "_C"])
def test_names_that_a_sentence_may_hold(name: str) -> None:
    """Words, and capitals too few to be a name."""
    assert not TELLING.fullmatch(name)


def test_the_file_is_as_the_tool_writes_it() -> None:
    """Sorted, each once, so that two branches add to it without a conflict."""
    names = FILE.read_text("utf-8").splitlines()
    assert names == sorted(set(names))
    assert len(names) > 1000
    assert all(TELLING.fullmatch(name) for name in names)
