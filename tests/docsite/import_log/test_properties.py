"""Any log: nothing of its text is lost or doubled, nothing written is defective, and in no time."""

from __future__ import annotations

import contextlib
import re
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
from docsite.import_log.files import read_import
from hypothesis import example, given
from hypothesis import strategies as st

from validators.catalog.logs import LogEntry, load_logs
from validators.errors import CasebookError

# `{}` is where a word goes that stands nowhere else in the log.
LINES = [
    "## 2026-01-23 — Plan: {}",
    "## 2026-01-23 - Bugfix: {}",
    "## 2026-01-23 — {} ##",
    "## 2026-01-23 — {}: {} - {}",
    "## 2026-01-23",
    "## 2026-02-30 — Plan: {}",
    "##2026-01-24 — Plan: {}",
    "2026-01-24 — Plan: {}",
    "## {}",
    "# {}",
    "### {}",
    "#### 2026-01-24 {} ####",
    "##{}",
    "--- {}",
    "---",
    "===",
    "```{}",
    "```",
    "~~~ {}",
    "~~~",
    "<!-- {}",
    "{} -->",
    "<!-- {} -->",
    "<script>{}</script>",
    "<div>{}",
    "{{{{ {} }}}} {{% {} %}}",
    "**Type**: Plan",
    "**Type**: {}",
    "**General description**: {}",
    "**General description**:",
    "- **General description**: {}: [*&!>|%@`",
    "**{}**: {}",
    "- {}",
    "1. {}",
    "    {}",
    "\t{}\x00",
    "> ## {}",
    "| {} |",
    "\x0c\x1b{}",
    "{}\u2028{}",
    "{}",
    "{}: - # {}",
    "`case:{}` [{}]({}.md) REWRITE: {}",
    "<!-- figure {} symptom.ops torch-2.13.0-cpu -->{}<!-- /figure -->",
    " \xa0{}\ufeff",
    "",
]
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"])


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """A log of lines that mean something, each word in it once."""
    drawn = draw(st.lists(st.sampled_from(LINES), max_size=30))
    number, lines = 0, []
    for line in drawn:
        places = line.count("{}")
        lines.append(line.format(*(f"q{number + at}q" for at in range(places))))
        number += places
    heading = draw(st.sampled_from(["## 2026-01-22 — Plan: T", ""]))
    text = draw(ENDS).join([heading, *lines])
    return text.encode(draw(CODECS))


def written(folder: Path, raw: bytes) -> tuple[list[LogEntry], list[str]]:
    """The entries that a log becomes, all of them sound, and its lines that are in none."""
    (folder / "log.md").write_bytes(raw)
    found = read_import(folder / "log.md", folder / "out")
    assert all("\n" not in str(problem) for problem in found.problems)
    found.write()
    entries, problems = load_logs(folder / "out")
    assert not problems and len(entries) == found.entries
    rest = folder / "out" / "log.unplaced.txt"
    lines = rest.read_text("utf-8").split("\n")[:-1] if rest.exists() else []
    assert len(lines) == found.unplaced
    return entries, lines


def placed(entry: LogEntry) -> str:
    """The text of an entry, once: a title that stands in for a description is left out."""
    title = entry.body.split("\n")[1].removeprefix("# ")
    return f"{entry.body}\n{entry.meta.summary if entry.meta.summary != title else ''}"


@given(raw=logs())
def test_every_word_of_a_log_lands_once(raw: bytes) -> None:
    """In an entry's body, in its front matter, or among the lines that are in none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            entries, rest = written(folder, raw)
        except CasebookError:
            assert not (folder / "out").exists()
            return
        text = "\n".join([*map(placed, entries), *rest])
        source = (folder / "log.md").read_bytes().decode(_codec(raw))
        assert Counter(re.findall("q[0-9]+q", text)) == Counter(re.findall("q[0-9]+q", source))
        # What has no word of its own is counted by lines; a heading leaves the body's title.
        kept = Counter(line.partition(": ")[2] for line in rest)
        kept += Counter(line for entry in entries for line in entry.body.split("\n"))
        wanted = Counter(re.split("\r\n|\r|\n", source))
        for line in ("---", "===", "```", "~~~", "**General description**:"):
            assert kept[line] == wanted[line]


@given(raw=logs())
def test_lines_in_no_entry_are_verbatim_and_named(raw: bytes) -> None:
    """Each has its number, and lies in exactly one of the ranges that are said."""
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(CasebookError):
        folder = Path(name)
        _, rest = written(folder, raw)
        found = read_import(folder / "log.md", folder / "again")
        source = re.split("\r\n|\r|\n", raw.decode(_codec(raw)))
        said = [it for it in found.problems if it.message.startswith("is in no entry: ")]
        for number, text in (line.split(": ", 1) for line in rest):
            plain = source[int(number) - 1]
            assert text == plain or not plain.replace("\t", "").isprintable()
            assert sum(it.line <= int(number) <= it.last for it in said) == 1


def _codec(raw: bytes) -> str:
    return next(
        (name for name in ("utf-32", "utf-16") if raw.startswith("".encode(name))), "utf-8-sig"
    )


HEADED = st.sampled_from([b"", b"## 2026-01-23 - Plan: ", b"## 2026-01-23\n"])
FIELD = st.sampled_from([b"", b"\n**General description**: "])
ANY = st.one_of(
    st.binary(),
    st.text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(alphabet="#-=`~<>!*:[](){}%&|\\\n\r\t '\"2026\ufeff\ufffe\u2028\x85\0é").map(
        str.encode
    ),
)


@given(heading=HEADED, title=ANY, field=FIELD, text=ANY)
@example(heading=b"## 2026-01-23 ", title=b"", field=b"\n**General description**: ", text=b"\xff")
@example(heading=b"## 2026-01-23 ", title="\ufeff \ufffe".encode(), field=b"", text=b"")
def test_any_bytes_become_sound_entries_or_one_sentence(
    heading: bytes, title: bytes, field: bytes, text: bytes
) -> None:
    """No traceback, and nothing that the log's reader would refuse."""
    with tempfile.TemporaryDirectory() as name, contextlib.suppress(CasebookError):
        written(Path(name), heading + title + field + text)


HARD = {
    "entries": "## 2026-01-23 — Plan: same\n\ntext\n",
    "undated": "## 2026-02-30 — Plan: same\n",
    "types": "**Type**: none\n",
    "description": "word\n",
    "fences": "```a\n~~~b\n",
    "comments": "<!-- a\n",
    "closings": "a -->\n",
    "backticks": "`",
    "spaces": " ",
    "dashes": "—",
    "hashes": "# ",
    "stars": "**",
    "brackets": "](",
    "definitions": "[a",
    "citations": "`case:a` ",
    "nulls": "\0",
    "null lines": "\0\n\n",
    "marks": "a\u0316\u0301",
    "figures": "<!-- figure a b c -->1",
    "underlines": "=-",
    "quotes": "> ",
}


@pytest.mark.parametrize("start", ["## 2026-01-23 — ", "## 2026-01-23\n**General description**: "])
@pytest.mark.parametrize("repeated", HARD.values(), ids=HARD)
def test_four_times_the_text_takes_less_than_eight_times_as_long(
    tmp_path: Path, repeated: str, start: str
) -> None:
    """Quadratic time would take sixteen times as long."""

    def seconds(size: int) -> float:
        log = tmp_path / "log.md"
        log.write_text(start + repeated * (size // len(repeated)) + "x\n", "utf-8")
        begin = time.process_time()
        read_import(log, tmp_path)
        return time.process_time() - begin

    small = min(seconds(20_000) for _ in range(2))
    assert min(seconds(80_000) for _ in range(2)) < 8 * small + 0.02


@pytest.mark.slow
def test_ten_megabytes_of_entries(tmp_path: Path) -> None:
    """Thousands of entries, each with its own name, in a minute of computing at most."""
    entry = "## 2026-01-23 — Plan: Same\n\n**Type**: Plan\n\n### Section\n" + "- a line\n" * 300
    count = 10_000_000 // len(entry)
    begin = time.process_time()
    entries, _ = written(tmp_path, (entry * count).encode())
    assert len(entries) == count
    assert time.process_time() - begin < 60
