"""A filter in front of the signatures, so that each line is tried against few of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from validators.match.index import Signature

_WORD = re.compile(r"\w+", re.ASCII)
_INNER_WORD = re.compile(r"(?<=\W)\w+(?=\W)", re.ASCII)


class SignatureFilter:
    """Signatures that no line has matched yet, by a word that every line matching them holds."""

    def __init__(self, signatures: Iterable[Signature]) -> None:
        """Begin with all `signatures`."""
        self._by_word: dict[str, list[Signature]] = defaultdict(list)
        for signature in signatures:
            self._by_word[_whole_word(signature.literal)].append(signature)

    def pop_matching(self, text: str) -> list[Signature]:
        """The signatures that the line `text` matches; each is returned only once."""
        met = self._by_word.keys() & {"", *_WORD.findall(text)}
        found = [
            signature
            for word in met
            for signature in self._by_word[word]
            if signature.literal in text and re.search(signature.pattern, text, re.ASCII)
        ]
        for signature in found:
            self._by_word[_whole_word(signature.literal)].remove(signature)
        return found


def _whole_word(literal: str) -> str:
    """The longest word inside `literal`, not at its edges; "" if there is none."""
    return max(_INNER_WORD.findall(literal), key=len, default="")
