"""The page of a diagnosis: one file, nothing loaded, and nothing of the user's taken for HTML."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

import msgspec
import pytest

from tests.validators.diagnose.measured import breaks, gain, report
from validators.diagnose.compare.reports import compare_diagnoses
from validators.diagnose.findings.excerpts import with_excerpt
from validators.diagnose.findings.finding import Excerpt, Explanation, Finding, Place
from validators.diagnose.masking.mask import masked
from validators.diagnose.report.html import TEMPLATES, excerpt, page
from validators.files import ROOT

SCRIPT = '<script>alert("x")</script><img src=x onerror=y>'
LOADING = {"src", "href", "srcset", "data", "action", "poster", "background"}


class Reader(HTMLParser):
    """Takes down the tags, the attributes and the text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        """A tag with its attributes."""
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        """Text between tags."""
        self.text += data


def read(text: str) -> Reader:
    """A page as its reader took it down."""
    reader = Reader()
    reader.feed(text)
    return reader


def hostile(value):
    """Plain data with every text replaced by a script; kinds stay, as the page chooses by them."""
    if isinstance(value, str):
        return SCRIPT if value else ""
    if isinstance(value, list):
        return [hostile(it) for it in value]
    if isinstance(value, dict):
        chosen = {"kind", "known", "severity", "verdict", "advice", "name", "measured"}
        return {key: it if key in chosen else hostile(it) for key, it in value.items()}
    return value


@pytest.fixture
def full():
    """A report with everything that a page can show."""
    place = Place("model.py", 3, "if x.sum() > 0:")
    around = Excerpt(2, ["    def f(self, x):", "        if x.sum() > 0:", "            x = 1"])
    findings = [
        Finding(
            "graph_break",
            f"break {number}",
            "once",
            Explanation(known, "GB0170", case, "An `if` breaks", "Use `torch.where`.", "there"),
            place=place,
            stack=[Place("model.py", 9, "self.f(x)")],
            text="torch says",
            excerpt=around,
        )
        for number, (known, case) in enumerate(
            [("explained", "one"), ("suspected", "two"), ("unknown", ""), ("explained", "four")]
        )
    ]
    guessed = Finding("static", "suspected", "not run", findings[1].explanation, place=place)
    made = report([*findings, guessed], breaks=breaks(3), gain=gain(1.2), failed="results")
    made.command = "python -m validators diagnose model.py:example"
    made.against = compare_diagnoses(report([*findings[:2]], breaks=breaks(2)), made, 0.05)
    return made


def test_what_the_user_wrote_stays_text(full):
    """A script in any field adds no element to the page."""
    evil = msgspec.convert(hostile(msgspec.to_builtins(full)), type(full))
    told, plain = read(page(evil)), read(page(full))
    assert set(told.tags) == set(plain.tags)
    assert {name for name, _ in told.attributes} == {name for name, _ in plain.attributes}
    assert told.text.count(SCRIPT) > 40


def test_the_page_loads_nothing(full):
    """No address but links to cases, which a site has to be named for; and a browser is told so."""
    alone, linked = read(page(full)), read(page(full, "https://casebook.example/"))
    assert [it for it in alone.attributes if it[0] in LOADING] == []
    addresses = {value for name, value in linked.attributes if name in LOADING}
    assert addresses == {
        f"https://casebook.example/catalog/{it}/index.html" for it in ("one", "two", "four")
    }
    assert not re.search(r"url\(|@import", page(full))
    assert "default-src 'none'" in page(full)


def test_the_three_that_cost_most_are_on_top(full):
    """Then the others, then what is only suspected."""
    text = read(page(full)).text
    order = ["What costs most", "1. break 0", "3. break 2", "Other findings", "4. break 3"]
    order += ["Suspected from the source alone", "Before and after", "Measured", "Reproduce"]
    found = [text.index(it) for it in order]
    assert found == sorted(found)


def test_degrees_of_knowing_differ_in_words(full):
    """Colour is not all that tells them apart."""
    text = read(page(full)).text
    assert "✓ explained by" in text
    assert "? suspected" in text
    assert "○ unknown" in text
    assert "No case explains it; torch calls it GB0170" in text


def test_the_broken_line_is_marked(full):
    """With its number, among its neighbours, and said to those who do not see it."""
    assert excerpt(full.findings[0]) == [
        (2, "def f(self, x):", False),
        (3, "    if x.sum() > 0:", True),
        (4, "        x = 1", False),
    ]
    marked = (
        '<span class="hit"><b>3</b><i class="said">this line: </i>    if x.sum() &gt; 0:</span>'
    )
    assert marked in page(full)


def test_a_failed_part_says_why(full):
    """A page without findings does not say that all is well."""
    assert "no result:" in page(full)
    assert "nothing is decided" in page(report(failed="breaks"))
    assert "showed no trouble" in page(report(breaks=breaks()))


def test_lines_around_a_place(tmp_path):
    """As far as the file goes; a place without a file stays as it is."""
    file = tmp_path / "model.py"
    file.write_text("".join(f"line {it}\n" for it in range(1, 7)) + "x" * 500)
    found = Finding("graph_break", "what", "once", Explanation("unknown"))

    def around(line: int) -> Excerpt | None:
        return with_excerpt(dataclasses.replace(found, place=Place(str(file), line))).excerpt

    assert around(2).first == 1
    assert around(2).lines == [f"line {it}" for it in range(1, 7)]
    assert (around(6).first, len(around(6).lines[-1])) == (2, 200)
    assert around(0) is around(8) is None
    file.unlink()
    assert around(2) is None
    assert with_excerpt(found) == found


def test_lines_around_a_place_are_masked(tmp_path):
    """A token in a line next to the broken one does not leave."""
    file = tmp_path / "model.py"
    file.write_text('TOKEN = "hf_abcdefghijklmnop"\nif x:\n')
    place = Place(str(file), 2, "if x:")
    found = with_excerpt(Finding("graph_break", "w", "c", Explanation("unknown"), place=place))
    assert masked(found, tmp_path).excerpt.lines == ['TOKEN = "***"', "if x:"]


def test_the_palette_is_the_sites():
    """Every colour of a report is one of the site's, in light and dark."""
    colours = re.compile(r"light-dark\([^;]*\)(?=;)")
    ours = set(colours.findall((TEMPLATES / "report.css").read_text()))
    theirs = set(colours.findall((ROOT / "site" / "assets" / "casebook.css").read_text()))
    assert len(ours) > 8
    assert ours <= theirs
