"""How many tokens a text has: those of o200k_base, a vocabulary of current language models."""

from __future__ import annotations

from functools import cache
from typing import Any

from validators.errors import CasebookError


def tokens(text: str) -> int:
    """The number of tokens of `text`.

    Raises:
        CasebookError: the package that counts them is not installed.
    """
    return len(_vocabulary().encode(text))


@cache
def _vocabulary() -> Any:
    try:
        # Imported here, since only checks need it; its wheel holds the vocabulary.
        import bpe_openai
    except ImportError:
        message = "bpe-openai, which counts tokens, is not installed; run `pip install --group dev`"
        raise CasebookError(message) from None
    return bpe_openai.get_encoding("o200k_base")
