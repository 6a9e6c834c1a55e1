"""What a signature may contain: browsers search with it, too, and in untrusted lines."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"\\.|\[\^?(?:\\.|[^\]\\])*\]|\(\?(?:[:=!])?|[()]|[*+?]\+?\??|\{[0-9]*,?[0-9]*\}|.", re.DOTALL
)
_UNBOUNDED = re.compile(r"[*+]\??|\{[0-9]+,\}")
_FOREIGN = re.compile(r"\(\?|[*+?]\+\??|\{,[0-9]*\}|\\[AZa]|\[\^?\]")
_ESCAPED = re.compile(r"\\[^\w]")
_WIDE = re.compile(r"\.|\\[wWSD]|\[\^.*", re.DOTALL)
_BACK_REFERENCE = re.compile(r"\\[1-9]")
_MOST = 2


def tokens_of(pattern: str) -> list[str]:
    """The characters, classes, brackets of groups and quantifiers that `pattern` is made of."""
    return _TOKEN.findall(pattern)


def defect_of(pattern: str) -> str:
    """Why `pattern`, a regular expression of Python, may not be a signature; "" if it may.

    It must mean the same in JavaScript, and its time must grow no faster than the cube of a line's
    length.
    """
    wide, groups, closed, last = 0, [0], 0, ""
    for token in tokens_of(pattern):
        if _FOREIGN.fullmatch(token):
            return f"`{token}` means something else in JavaScript"
        if _BACK_REFERENCE.fullmatch(token):
            return f"`{token}` is a back-reference, which takes unbounded time"
        if _UNBOUNDED.fullmatch(token):
            if closed:
                return f"`{token}` repeats a repetition, which takes unbounded time"
            wide += bool(_WIDE.fullmatch(last))
            groups[-1] += 1
        closed, last = 0, token
        if token.startswith("(") and token != "(?":
            groups.append(0)
        elif token == ")":
            closed = groups.pop()
            groups[-1] += closed
    if wide > _MOST:
        places = f"it repeats any character in {wide} places, more than {_MOST}"
        return f"{places}; write `.{{0,80}}`"
    return ""


def literal_of(pattern: str) -> str:
    """The longest text that every line matching `pattern` holds; "" if none is certain."""
    literals, current, depth = [], "", 0
    tokens = tokens_of(pattern)
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        plain = token[1] if _ESCAPED.fullmatch(token) else token
        depth += token.startswith("(")
        if token == "|" and not depth:
            return ""
        special = depth > 0 or len(plain) > 1 or (plain == token and token in ".^$*+?{}()[]")
        depth -= token == ")"
        if special or following[:1] in ("*", "?", "{"):
            literals.append(current)
            current = ""
        else:
            current += plain
    return max([*literals, current], key=len)
