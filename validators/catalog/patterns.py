"""What a signature may hold: the browser searches for it, too, and in lines of anybody's making."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!])?|[()]|[*+?]\+?\??|\{[0-9]*,?[0-9]*\}|.", re.DOTALL
)
_UNBOUNDED = re.compile(r"[*+]\??|\{[0-9]+,\}")
_FOREIGN = re.compile(r"\(\?|[*+?]\+\??|\{,[0-9]*\}|\\[AZa]|\[\^?\]")
_WIDE = re.compile(r"\.|\\[wWSD]|\[\^.*", re.DOTALL)
_MOST = 2


def tokens_of(pattern: str) -> list[str]:
    """The characters, classes, brackets of groups and quantifiers that `pattern` is made of."""
    return _TOKEN.findall(pattern)


def defect_of(pattern: str) -> str:
    """Why `pattern`, a regular expression of Python, may not be a signature; "" where it may.

    It has to mean the same in JavaScript, and take no more time than the cube of a line's length.
    """
    wide, groups, closed, last = 0, [0], 0, ""
    for token in tokens_of(pattern):
        if _FOREIGN.fullmatch(token):
            return f"`{token}` is not the same in JavaScript"
        if re.fullmatch(r"\\[1-9]", token):
            return f"`{token}` refers back, which takes unbounded time"
        if _UNBOUNDED.fullmatch(token):
            if closed:
                return f"`{token}` repeats what repeats, which takes unbounded time"
            wide += bool(_WIDE.fullmatch(last))
            groups[-1] += 1
        closed, last = 0, token
        if token.startswith("(") and token != "(?":
            groups.append(0)
        elif token == ")":
            closed = groups.pop()
            groups[-1] += closed
    if wide > _MOST:
        places = f"it repeats any character in {wide} places, and {_MOST} are the most"
        return f"{places}; write `.{{0,80}}`"
    return ""
