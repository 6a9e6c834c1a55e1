"""Passwords, tokens and keys in a text, by how they look or by what they are assigned to."""

from __future__ import annotations

import re

_SHORTEST = 8
"""A token has at least as many characters; shorter ones belong to a vocabulary."""
_ALIKE = re.compile(
    r"\b(?:hf_|ghp_|gho_|github_pat_|sk-|xox[abp]-|AKIA|AIza|glpat-|nvapi-|dop_v1_|ya29\.)[\w-]{8,}"
    r"|\b(?:npm_|r8_)(?=\w*\d)[A-Za-z0-9]{16,}"
    r"|\bpypi-(?=[\w-]*\d)[\w-]{16,}"
    r"|\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
    r"|(?<=://)[^/\s:@]+:[^/\s:@]+(?=@)"
    r"|(?i:(?<=bearer ))[\w.~+/-]{8,}"
)
"""What looks like a secret, whatever stands before it."""
_VOCABULARY = "".join(rf"(?<!{it}_token=)" for it in ("pad", "eos", "bos", "unk", "mask"))
_NO_CODE = r"(?![\w.]+\([^\s]*\)|[\w.]+\[[^\s]*\]|(?:None|True|False|\d+)\b)"
_BARE = re.compile(
    rf"(?i:(?<=token=){_VOCABULARY}|(?<=api_key=)|(?<=password=)|(?<=secret=))"
    rf"{_NO_CODE}[^\s&'\"]+"
)
"""A value without quotes, as in addresses; a call, a subscript or a number is code."""
_OPTION = re.compile(
    r"(?i:(?P<name>--(?:[\w-]+-)?(?:api-key|token|password|passphrase|secret|private-key)"
    r"(?:[ =]|(?P<quote>\\?[\"'])\s*,\s*(?P=quote))))(?![-<\[$])[^\s'\"\\]+"
)
"""An option of a command line, in one text or as two words of a list."""
_BEGIN, _END = (rf"-----{it} (?:[A-Z]+ )*PRIVATE KEY-----" for it in ("BEGIN", "END"))
_PEM = re.compile(rf"{_BEGIN}(?:(?s:.*?){_END}|[^\"']*)")
_PEM_LINE = re.compile(
    r"^[ \t\"'rb(]*(?![0-9a-f]{64})[A-Za-z0-9+/]{64}(?=[\s\"'\\)]*$)"
    rf"|^[ \t\"'rb(]*[A-Za-z0-9+/=]+\n[ \t\"'rb(]*{_END}",
    re.MULTILINE,
)
"""Lines of a key whose first line is not shown."""

_SECRET = (
    r"(?:pass(?:word|wd|phrase)|(?<![A-Za-z])pwd|secret|(?:api|access|private)[_-]?key"
    r"|(?:api|auth|access|bearer|github|gitlab|hf|hugging_?face|slack|wandb)_?token)\w*"
)
_TOKEN = r"token(?!\w)"
_TYPE = r"\\?[\"']?\]?(?:\s*:\s*[\w.\[\]| ]+?)?\s*"
"""What follows a name up to the sign: the end of a quoted key, a type."""
_OPEN = r"[\s(]*[rbfu]{0,2}"
_LONG = r"(?P<quote>(?:\\?\"){3}|(?:\\?'){3})(?P<value>(?:(?!(?P=quote))(?s:\\.|.))+)"
_SHORT = r"(?P<quote>\\?[\"'])(?P<value>(?:(?!(?P=quote))(?:\\.|.))+)"
"""A literal; its value ends with the text or the line if the quote after it is missing."""
_ASSIGNED, _TOKENS = (
    [re.compile(rf"(?P<name>(?i:{names}){_TYPE}{sign}{_OPEN}){it}") for it in (_LONG, _SHORT)]
    for names, sign in ((_SECRET, "(?:[=!]=|:=|[:=])"), (_TOKEN, "(?::=|[:=])"))
)


def without_secrets(text: str) -> str:
    """`text` with `***` in place of each secret; its lines stay lines."""
    text = _PEM_LINE.sub(_starred, _PEM.sub(_starred, text))
    text = _OPTION.sub(r"\g<name>***", _BARE.sub("***", _ALIKE.sub("***", text)))
    for pattern in _ASSIGNED:
        text = pattern.sub(_emptied, text)
    for pattern in _TOKENS:
        text = pattern.sub(lambda it: _emptied(it) if _is_token(it["value"]) else it[0], text)
    return text


def _starred(found: re.Match[str]) -> str:
    return "\n".join("***" for _ in found[0].split("\n"))


def _emptied(found: re.Match[str]) -> str:
    value = "\n".join("***" for _ in found["value"].split("\n"))
    return f"{found['name']}{found['quote']}{value}"


def _is_token(value: str) -> bool:
    """Whether a text may be somebody's token, and not a word of a vocabulary such as `[MASK]`."""
    plain = not re.search(r"\s", value) and value[0] not in "<["
    return plain and len(value) >= _SHORTEST
