"""Passwords, tokens and keys in a text, by how they look or by what they are assigned to."""

from __future__ import annotations

import re

from validators.diagnose.masking.token_shapes import SHAPES

_SHORTEST = 8
"""A token has at least as many characters; shorter ones belong to a vocabulary."""
_VOCABULARY = "".join(rf"(?<!{it}_token=)" for it in ("pad", "eos", "bos", "unk", "mask"))
_NO_CODE = r"(?![\w.]+\([^\s]*\)|[\w.]+\[[^\s]*\]|(?:None|True|False|\d+)\b)"
_BARE = re.compile(
    rf"(?i:(?<=token=){_VOCABULARY}|(?<=api_key=)|(?<=password=)|(?<=passwd=)|(?<=secret=))"
    rf"{_NO_CODE}[^\s&'\"]+"
)
"""A value without quotes, as in addresses; a call, a subscript or a number is code."""
_OF_MODEL = "".join(rf"(?<!{it}_)" for it in ("PAD", "EOS", "BOS", "UNK", "MASK", "SEP", "CLS"))
_PLAIN = (
    # An option of a command line, in one text or as two words of a list.
    re.compile(
        r"(?i:(?P<name>--(?:[\w-]+-)?(?:api-key|token|password|passphrase|secret|private-key)"
        r"(?:[ =]|(?P<quote>\\?[\"'])\s*,\s*(?P=quote))))(?![-<\[$])[^\s'\"\\]+"
    ),
    # A variable of the environment, as shells and `env` write it.
    re.compile(
        rf"(?P<name>\b[A-Z0-9_]*(?:PASSW(?:OR)?D|PASSPHRASE|SECRET|{_OF_MODEL}TOKEN(?!S|IZ)"
        rf"|(?:API|ACCESS|ACCOUNT|PRIVATE)_?KEY)[A-Z0-9_]*=){_NO_CODE}[^\s&'\"]+"
    ),
    # A line of a file of settings: a value that looks drawn by lot, or a password.
    re.compile(
        r"(?P<name>(?i:secret|token|passw(?:or)?d|(?:api|access|account|private)[_-]?key)\w*"
        r"\s*[:=]\s*)(?=\S*\d)(?=\S*[a-z])(?=\S*[A-Z])[\w+/=-]{16,}(?![\w+/=(\[.-])"
    ),
    re.compile(
        r"(?i:(?P<name>\b(?:passw(?:or)?d|passphrase|api_?key):\s+))(?=[^\s'\",)]*\d)[^\s'\",)]{6,}"
    ),
    # A header of a request.
    re.compile(
        r"(?i:(?P<name>\bauthorization\\?[\"']?\s*[:=,]\s*\\?[\"']?(?:basic|digest|token)\s+))"
        r"[^\s'\"\\]+"
    ),
    re.compile(r"(?i:(?P<name>\bx-[\w-]*(?:key|token)\\?[\"']?\s*[:,]\s*\\?[\"']?))[^\s'\"\\]{8,}"),
    # A sentence that quotes a password.
    re.compile(r"(?i:(?P<name>\bpass(?:word|phrase)\s+[\"']))[^\s\"']+(?=[\"'])"),
)
"""Values without quotes of their own, and in `name` what stands before them."""
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
    text = _BARE.sub("***", SHAPES.sub("***", text))
    for pattern in _PLAIN:
        text = pattern.sub(r"\g<name>***", text)
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
