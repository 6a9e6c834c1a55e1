"""The rules of the search, as plain data: the browser searches by the same rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Patterns that mean the same in Python (ASCII) and JavaScript, and numbers.

    Text: `escapes` and `controls` are removed, and each of `spaces` is read as a space. A line is
    read in pieces of `piece` characters. A piece longer than `longest` is cut to that length, with
    its last `end` characters kept.

    Lines: loggers write a `prefix` (rank, level, time, place) in front of a message. A traceback's
    `frame` in the file of a `library` says nothing. An `exception` says most, then a `telling`
    line. `torch` finds the release, `graph_break` the id of a break. Lines that differ only in a
    `number` count once; a number after a B belongs to an id, as in GB0170.

    Terms: a `name` is made of `part`s. `common` ones do not count. A term loses one of the
    `endings` if at least four letters remain.

    Scores: `exact` is the score of a signature or a break's id, as much as the words of a good
    match get. A score below `least` only says that the same words are used. If the text may be
    about something else, the same holds for a score by words alone below `least_near`. Only the
    words of the first `telling_lines` count. To skip repeated lines, the search remembers as many
    as `remembered`.
    """

    escapes: str = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?"
    controls: str = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]"
    spaces: str = r"[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
    piece: int = 1 << 16
    longest: int = 2000
    end: int = 500

    prefix: str = (
        r"(?:\[?\w{1,20}\d{1,6}\]?: ?)?(?:\[?[VIWEDC]\d{4} |\[?\d{4}-\d\d-\d\d)[^\]]{0,200}\]\s*"
        r"(?:\[[^\]]{0,80}\]:?\s*){0,6}"
    )
    frame: str = r'\s*File "([^"]*)", line \d+'
    library: str = r"(?:site|dist)-packages|/lib/python\d|/torch/|<frozen|<string>"
    exception: str = r"[\w.]{0,200}(?:Error|Exception|Unsupported|Failed|Violation)\w{0,40}:"
    telling: str = (
        r"graph break|gb\d{4}|recompil|skipping cudagraphs|mutated|guard|specializ|unsupported"
        r"|explanation:|hint:|reason:|expected|dynamo|inductor|assert|warn|fail|cannot|could not"
        r"|not supported"
    )
    torch: str = (
        r"torch(?:==|-| version:? |\.__version__[^0-9]{0,12}| )\s{0,4}"
        r"v?([1-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"
    )
    graph_break: str = r"\bgb[0-9]{4}\b"
    number: str = r"(?<![Bb0-9])[0-9]+"

    name: str = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
    part: str = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
    endings: str = "ations ation ings ing ies ied ers er es ed s e"
    common: str = (
        "about after all also and any are because been before being both but can does each for"
        " from has have how into its just like more most not one only other our out over same"
        " should some such than that the their them then there these they this those too use"
        " used using very was what when where which while who why will with would you your"
    )

    exact: int = 60
    least: int = 40
    least_near: int = 170
    telling_lines: int = 3000
    remembered: int = 200_000


RULES = Rules()
