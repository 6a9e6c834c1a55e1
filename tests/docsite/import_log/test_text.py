"""Logs in any encoding, with any line ends and any characters."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from docsite.import_log.files import read_import
from docsite.import_log.text import read_lines

BAKERY = Path(__file__).parent / "bakery.md"
MARKED = {
    "utf-8": b"",
    "UTF-8": codecs.BOM_UTF8,
    "UTF-16-LE": codecs.BOM_UTF16_LE,
    "UTF-16-BE": codecs.BOM_UTF16_BE,
    "UTF-32-LE": codecs.BOM_UTF32_LE,
    "UTF-32-BE": codecs.BOM_UTF32_BE,
}


def read(raw: bytes) -> tuple[list[str], list[str]]:
    """The lines, and what is said."""
    lines, problems = read_lines(Path("log.md"), raw)
    return lines, [str(problem) for problem in problems]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", MARKED)
def test_encodings_and_line_ends_change_nothing(tmp_path: Path, encoding: str, end: str) -> None:
    """The files are the same, byte for byte; an unusual encoding is said."""
    log = tmp_path / "bakery.md"
    text = BAKERY.read_text("utf-8").replace("\n", end)
    log.write_bytes(MARKED[encoding] + text.encode(encoding))
    found, plain = read_import(log, tmp_path), read_import(BAKERY, tmp_path)
    assert found.files == plain.files
    said = [problem.message for problem in found.problems if not problem.line]
    assert len(said) == (encoding.lower() != "utf-8")
    assert not said or said[0].startswith(f"was read as {encoding}, ")


def test_windows_and_latin_letters() -> None:
    """The first line that is not UTF-8 is named, and how it was read."""
    lines, [said] = read(b"a\n\x93caf\xe9\x94 \x80\n")
    assert lines == ["a", "“café” €", ""]
    assert said.startswith("log.md:2: is not UTF-8 and was read as cp1252; ")
    lines, [said, _] = read(b"caf\xe9 \x81\n")
    assert lines == ["café \\x81", ""]
    assert said.startswith("log.md:1: is not UTF-8 and was read as latin-1; ")


def test_bytes_that_the_mark_belies_are_escaped() -> None:
    """A byte-order mark is trusted; half a character, or another encoding's, is not lost."""
    lines, [said] = read(codecs.BOM_UTF8 + b"caf\xe9")
    assert lines == ["caf\\xe9"] and "with escapes for bytes that are not" in said
    lines, [said] = read(codecs.BOM_UTF16_LE + "a".encode("utf-16-le") + b"\x00\xd8b")
    assert lines[0].startswith("a\\x00\\xd8") and "UTF-16-LE" in said


def test_control_characters_are_escaped() -> None:
    """They are kept visibly, and a run of such lines is one place."""
    lines, said = read("a\0\n\x1b[0m\n\tfine\n\x0b\u2028\x85\ufffe\n".encode())
    assert lines == ["a\\x00", "\\x1b[0m", "\tfine", "\\x0b\\u2028\\x85\\ufffe", ""]
    assert [it.partition(" ")[0] for it in said] == ["log.md:1-2:", "log.md:4:"]
    assert "holds control characters" in said[0]


def test_text_in_utf_16_without_a_mark_is_kept() -> None:
    """Nothing says what it is, so each null byte is shown."""
    lines, said = read("# a".encode("utf-16-le"))
    assert lines == ["#\\x00 \\x00a\\x00"] and len(said) == 1
