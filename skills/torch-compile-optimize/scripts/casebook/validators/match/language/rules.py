"""The rules of the search, as plain data: the browser searches by the same rules."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Patterns that mean the same in Python (ASCII) and JavaScript, and numbers.

    Text: `escapes` and `controls` are removed, and each of `spaces` is read as a space. A line is
    read in pieces of `piece` characters. A piece longer than `longest` is cut to that length, with
    its last `end` characters kept.

    Lines: loggers write a `prefix` (rank, level, time, place) in front of a message. A traceback's
    `frame` in the file of a `library` says nothing; an `exception` ends the traceback. Other lines
    that programs print begin as `logged`. `torch` finds the release, `graph_break` the id of a
    break. Lines that differ only in a `number` count once; a number after a B belongs to an id, as
    in GB0170. A `tracker`, terminal or launcher writes its own text in front of a logger's prefix;
    a `rank` stands in the first `ranked` characters. A line of at least `wrapped` characters may go
    on in the next one, up to as many `pieces`.

    Families: a `hole` stands in a pattern for what torch computes, `break_type` around the type of
    a graph break, `exception_name` around the name of an exception.

    Incidents: a `recompile`, a `limit`, a break (`graph_broke`) or a `skip` begins with such a line
    and has at most `incident_lines`; a log has at most as many `causes`, each with as many
    cases that are `told` or `possible`. `limit_place`, `limit_reason` and `reason` stand in its
    other lines; `no_reason` is none. An exception that says it was `raised` by another, or is
    `chained` to one, is one incident with it.

    Terms: a `name` is made of `part`s. `common` ones do not count. A `numbered` one, such as bf16,
    is a term, too. A term loses one of the `endings` if at least four letters remain.

    Queries: a text is one if it has at most `query_lines` lines and `query_length` characters, and
    a program printed none of them. A word that no page has is read as the term that differs from it
    least: by a letter too many or too few or two exchanged ones, if it has `short_word` letters, or
    by two edits of any kind, if it has `long_word`. The last word may be the beginning of terms;
    the `completions` that most pages have count. Names are compared by their keys, without what is
    `not_of_a_key`. A name has at most `name_words` words; a single one counts as code if it looks
    like `code`. Signatures that a query holds or begins are compared by keys of at least `phrase`
    characters. If the whole query is a `whole_break`, it asks for that break.

    Scores: a term's weight comes from the parts of a page that have it, by their `weights`, with
    BM25's k1 (`saturation`) and b (`length`), times `scale`. `exact` is the score of a signature or
    a break's id, as much as the words of a good match get. Only the words of the first
    `worded_lines` count. To skip repeated lines, the search remembers as many as `remembered`. In
    a query, `called` is the score of a page of that name, `named` that of a name within it, at
    most; a word that no page has weighs `unknown`. A family only repeats torch's words, so
    `family_tenths` of its score count: a case about the same thing comes first. If query and page
    name `symptoms` and share none, `other_symptom` tenths of what its words and names score count.
    A page with less than `tail` tenths of the best score is no answer. Where the first `code_lines`
    lines of user code (after a frame, or in a `code_comment`) fit the patterns of a case with a
    known line, it gains `code_worth`; where none does, it loses as much.

    Confidence: the best score by the square root of the number of terms, in units of the rarest
    term. The pages answer a query if it is at least what `fits`; the first does so certainly if it
    is `sure` and the second has at most `ahead` tenths of its score. The pages of a log without a
    known line are told from `guess` on. An area is near to a query without an answer if its words
    and names are worth `near` times the rarest term. These numbers come from the judged texts to
    tune on.
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
    tracker: str = (
        r"(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?[ \t]"
        r"|> ?|\|\s|E {2,7}|stderr: |\[?(?:rank|default)\d{1,6}\]?: ?"
        r"|\[\d{1,4},\d{1,4}\]<std(?:err|out)>: ?"
        r"|\([A-Za-z][^()]{0,60}pid=\d{1,9}[^()]{0,60}\) |[A-Za-z][\w.-]{1,40} {1,20}\| "
        r"|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[[^\]]{1,80}\] ){1,5}"
    )
    rank: str = r"\[((?:rank|default)\d{1,6})\]:"
    ranked: int = 80
    wrapped: int = 40
    pieces: int = 3
    frame: str = r'\s*File "([^"]*)", line (\d+)(?:, in (\S{1,100}))?'
    library: str = r"(?:site|dist)-packages|/lib/python\d|/torch/|<frozen|<string>"
    exception: str = r"[\w.]{0,200}(?:Error|Exception|Unsupported|Failed|Violation)\w{0,40}:"
    logged: str = (
        r"Traceback \(|.{0,80}\[(?:DEBUG|INFO|WARNING|ERROR)\]"
        r"|E {3}\S|(?:E {3})?AssertionError: assert "
    )
    torch: str = (
        r"torch(?:==|-| version:? |\.__version__[^0-9]{0,12}| )\s{0,4}"
        r"v?([1-9]\.[0-9]{1,2}(?:\.[0-9]{1,2})?)"
    )
    graph_break: str = r"\bgb[0-9]{4}\b"
    number: str = r"(?<![Bb0-9])[0-9]+"

    hole: str = ".{0,160}"
    break_type: tuple[str, str] = (r"(?:^ *|[\]:] )", r"(?! \()")
    exception_name: tuple[str, str] = (r"\b", "(?::|$)")

    recompile: str = r"Recompiling function (\S{1,200}) in (.{1,400}?):(\d+)"
    limit: str = r"torch\._dynamo hit config\.\w{1,80}"
    graph_broke: str = r"\s*Graph break\b(?:.{0,200}? in user code at (.{1,400}?):(\d+))?"
    skip: str = r"skipping cudagraphs due to (.{1,300})|cudagraph partition due to (.{1,300})"
    limit_place: str = r"function: '?(\S{1,200}?)'? \((.{1,400}?):(\d+)\)"
    limit_reason: str = r"(?:last reason|Recompilation reason|reasons): (.{1,400})"
    reason: str = r"\s*(?:-? ?\d+/\d+: |- |Graph Break Reason: ?|Graph break: )"
    no_reason: str = (
        r"\s*(?:User code traceback|Developer debug|from user code|triggered by|To log all"
        r"|To diagnose|Set TORCH|Graph Break Reason: Encountered graph break when|$)"
    )
    raised: str = r"raised:\s*$"
    chained: str = (
        r"The above exception was the direct cause|During handling of the above exception"
    )
    incident_lines: int = 60
    causes: int = 1000
    told: int = 3
    possible: int = 12

    name: str = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
    part: str = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
    numbered: str = r"[A-Za-z]{1,8}[0-9]{1,3}"
    endings: str = "ations ation ings ing ies ied ers er es ed s e"
    common: str = (
        "about after all also and any are because been before being between both but can cause"
        " caused causes does each for from has have how inside into its just like more most not"
        " one only other our out over same should some such than that the their them then there"
        " these they this those too use used using very was what when where which while who why"
        " will with would you your"
    )

    query_lines: int = 3
    query_length: int = 240
    short_word: int = 4
    long_word: int = 7
    completions: int = 8
    not_of_a_key: str = r"^case:|[^a-z0-9]+"
    name_words: int = 6
    code: str = r"[._(A-Z]"
    code_comment: str = r"#\s+(.{1,200}?)\s+# \S{1,200}\.py:\d+ in "
    code_lines: int = 2000
    phrase: int = 12
    whole_break: str = r"gb([0-9]{3,4})"

    weights: dict[str, int] = field(
        default_factory=lambda: {
            "name": 8,
            "title": 8,
            "summary": 6,
            "fix": 2,
            "signature": 6,
            "hidden": 4,
        }
    )
    saturation: float = 3.0
    length: float = 0.75
    scale: int = 2

    exact: int = 110
    worded_lines: int = 3000
    remembered: int = 200_000
    called: int = 1000
    named: int = 150
    unknown: int = 40
    family_tenths: int = 5
    code_worth: int = 60
    other_symptom: int = 7
    tail: int = 4
    fits: float = 2.6
    sure: float = 4.7
    ahead: int = 9
    guess: float = 4.6
    near: float = 5.0

    symptoms: dict[str, str] = field(
        default_factory=lambda: {
            "recompiles": (
                r"re-?compil|retrac|re-?record|(?:recompile|cache.size).limit|guard fail"
                r"|compil\w* (?:again|anew|every|each|for each|for every|once more|twice)"
            ),
            "breaks or raises": (
                r"graph.?break|\bbreaks?\b|breaking|fullgraph|unsupported|eagerly|skips? \w*frame"
                r"|error|fail|crash|rais|exception|abort|segfault|assert|refus|broken|\bdies?\b"
                r"|traceback|not (?:work|compile|load|start|supported|found)|can ?not|can't|missing"
                r"|no module|unknown|invalid|incompatible|violat|mismatch"
            ),
            "computes something else": (
                r"wrong|incorrect|differ|\bnans?\b|not equal|diverg|garbage|accura|inconsisten"
                r"|ignor|no effect|stale|silent|lost|loses|corrupt|deviat|overwrit|mismatch|random"
                r"|same seed|black image|noise"
            ),
            "is slow to compile": (
                r"compil\w* (?:time|takes|is slow|forever|slow|minutes|hours|hang)"
                r"|(?:slow|long|minutes|hours|forever|time) (?:\w+ ){0,3}(?:compil|first|start)"
                r"|first (?:call|step|run|iteration|request|inference)|start-?up|warm-?up|hang"
                r"|cold start|stuck|cache|autotun"
            ),
            "is slow to run": (
                r"slow|speed|fast|latenc|throughput|perform|regress|kernel|launch|overhead|no gain"
                r"|utili[sz]ation|per second|fps|fus(?:e|ion)"
            ),
            "needs memory": r"memory|\boom\b|leak|vram|\bram\b|\bbytes\b|activation|gigabyte",
            "skips CUDA graphs": r"cuda ?graph|skipping|reduce-overhead",
        }
    )


RULES = Rules()
