"""Reading a log: any bytes become clean lines, in bounded memory."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.errors import CasebookError
from validators.match import lines_of, read_lines


def lines(data: bytes) -> list[tuple[int, str]]:
    """What is read of `data`."""
    return list(read_lines(io.BytesIO(data)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_lines_are_numbered_whatever_the_encoding(encoding: str) -> None:
    """Also where a shell has redirected into UTF-16, and with Windows' line ends."""
    assert lines("one\r\ntwö\n\nfour".encode(encoding)) == [
        (1, "one"),
        (2, "twö"),
        (3, ""),
        (4, "four"),
    ]


def test_escapes_and_controls_are_left_out() -> None:
    """Colours, titles of windows, null bytes."""
    assert lines(b"\x1b[31mred\x1b[0m \x1b]0;title\x07 a\x00b \x1b") == [(1, "red  ab")]


def test_json_lines_are_read_text_by_text() -> None:
    """As in a `raw.jsonl`: a text of several lines is several, all with the line's number."""
    record = b'{"compilation_metrics": {"fail_reason": "first\\nsecond", "n": 3}}\n{broken\n'
    assert lines(record) == [
        (1, "compilation_metrics"),
        (1, "fail_reason"),
        (1, "n"),
        (1, "first"),
        (1, "second"),
        (2, "{broken"),
    ]


def test_half_a_character_is_left_out() -> None:
    """JSON may escape what no encoding can print."""
    assert lines(b'{"a": "x\\ud800y"}\n') == [(1, "a"), (1, "xy")]


def test_one_long_line_is_cut_and_takes_no_memory() -> None:
    """Of 32 MB in one line little is kept at a time, and the next line has number 2."""
    data = io.BytesIO(b"a" * (32 << 20) + b"\nend")
    tracemalloc.start()
    last, longest = (0, ""), 0
    for last in read_lines(data):
        longest = max(longest, len(last[1]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert last == (2, "end")
    assert longest < 3000
    assert peak < 4 << 20


@given(st.binary(max_size=300))
def test_any_bytes_are_lines_without_controls(data: bytes) -> None:
    """Nothing raises, and what is read can be printed."""
    for _, line in lines(data):
        assert not any((ord(c) < 32 and c != "\t") or 127 <= ord(c) < 160 for c in line)


def test_a_file_is_read_and_other_words_are_a_query(tmp_path, monkeypatch) -> None:
    """However long they are; - is standard input."""
    file = tmp_path / "a log"
    file.write_text("one\ntwo")
    assert list(lines_of(str(file))) == [(1, "one"), (2, "two")]
    assert list(lines_of("how \x1b[1mnow\nthen")) == [(1, "how now"), (2, "then")]
    assert list(lines_of("word " * 99)) == [(1, ("word " * 99).strip())]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"given")))
    assert list(lines_of("-")) == [(1, "given")]


@pytest.mark.parametrize("name", ["a/b", "none.txt", "..\\x", "trace.jsonl"])
def test_a_missing_file_is_an_error(name: str) -> None:
    """If the words look like one."""
    with pytest.raises(CasebookError, match="there is no such file"):
        list(lines_of(name))
