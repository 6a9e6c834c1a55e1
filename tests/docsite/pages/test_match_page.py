"""Paste an error: the browser gives the answers of the command line, and all of them as text."""

from __future__ import annotations

import gzip
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from docsite.content import Content, load
from docsite.pages.match import match_data
from selenium.webdriver.support.ui import WebDriverWait

from tests.validators.match.judging import judged_queries, our_catalog, site_index
from tests.world import World, populate
from validators.match import REGISTRY, Index, read_lines, search
from validators.match.answers import Answer, status_on
from validators.match.building import OtherPage
from validators.match.index import data_of
from validators.match.topics import other_pages
from validators.match.words import words_of

from ..conftest import REPOSITORY

pytestmark = pytest.mark.browser
LOGS = REPOSITORY / "tests" / "validators" / "match"
MATCH_ALL = """
return arguments[0].map((text) => casebookMatch.search(casebookIndex, text)).map((found) =>
    [found.query, found.torch, found.unexplained, found.matches.map((it) =>
        [it.name, it.kind, it.title, it.summary, it.fix, it.score, it.by,
         it.lines.map(({line, text}) => [line, text])])]);
"""
FIND = """
window.casebookIndex ||= JSON.parse(casebookText).index;
casebookMatch.search(casebookIndex, arguments[0]);
"""
THERE = """
const answer = JSON.parse(arguments[0]); // the driver would sort its keys
return arguments[1].map((torch) => casebookMatch.statusOn(answer, torch));
"""
HOSTILE = [
    "",
    "\ufeff\n\r\n\r torch._dynamo",
    "\x1b[31mtorch._dynamo\x1b[0m \x1b]0;title\x07 hit config.recompile_limit (8)\x00\x1b",
    '{"a": ["torch.compile recompiles", {"b": "x\\ud800y gb0170\\ntorch==2.7.1"}]}\n{broken',
    "<img src=x onerror=alert(1)> torch.compile graph break from print `__proto__` constructor",
    "torch.compile " + "constructor __proto__ toString valueOf hasOwnProperty " * 3,
    "torch\u00a0compile\u2028Unsupported: call_function\u3000\U0001f600 print",
    "torch._dynamo " + "a" * 70_000 + " recompile_limit\ntorch._dynamo hit config.recompile_limit",
    "\U0001f600 torch._dynamo hit config.recompile_limit (8) \U0001f600",
    "\n".join(f"torch._dynamo warning {n}" for n in range(3500))
    + "\nmy kv cache grown with torch.cat recompiles",
    "K\u0130\u017f torch._dynamo GB0170 gb0170 \u212aV cache recompiles",
    "W1122 00:41:00.1 7 torch/x.py:1] [0/1] [__recompiles] torch._dynamo recompile",
]


def vectors(index: Index) -> Iterator[str]:
    """The users' logs, the judged queries, hostile texts, and random ones of what is known."""
    for file in sorted(LOGS.glob("user_logs/*.yaml")):
        yield yaml.safe_load(file.read_text("utf-8"))["log"]
    for kinds in judged_queries().values():
        for queries in kinds.values():
            yield from queries
    yield from HOSTILE
    known = [
        *words_of(index).postings,
        *(it.literal for it in index.signatures),
        *index.breaks,
        *index.subject,
        *words_of(index).names,
    ]
    between = [" ", "\n", ".", "_", ": ", "\r\n", "    ", "é", "\u00a0", "1", '"', "torch 2.9 "]
    for seed in range(100):
        chance = random.Random(seed)
        yield "".join(chance.choice(known) + chance.choice(between) for _ in range(120))
    for seed in range(200):
        chance = random.Random(seed)
        words = (chance.choice(known) + chance.choice(between) for _ in range(chance.randint(1, 5)))
        yield _misspelt("".join(words), chance)[:260]


def _misspelt(text: str, chance: random.Random) -> str:
    """The text without a letter, and with two letters exchanged."""
    left = chance.randrange(len(text))
    text = text[:left] + text[left + 1 :]
    place = chance.randrange(len(text) + 1)
    return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


@pytest.fixture(scope="module")
def index() -> Index:
    """The index of our own catalog, its areas and its guides."""
    return site_index()


@pytest.fixture(scope="module")
def content() -> Content:
    """All of our own content."""
    return load(our_catalog().root, [])


def families() -> Iterator[OtherPage]:
    """900 short pages in the words of our claims, as long as torch's registry of graph breaks is.

    Its 592 titles have 5 words, its explanations and hints, cut to 30 words, 18.
    """
    words = " ".join(f"{it.title} {it.meta.claim}" for it in our_catalog().cases).split()
    for number in range(900):
        own = words[number * 37 % (len(words) - 23) :][:23]
        name = f"GB{11 * number:04}"
        yield OtherPage(name, "family", " ".join(own[:5]), text=" ".join(own[5:]))


@pytest.fixture(scope="module")
def searcher(browser: Any, index: Index, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A browser that has the search and our own index."""
    page = tmp_path_factory.mktemp("search") / "index.html"
    data = msgspec.json.encode(data_of(index)).decode()
    script = (REPOSITORY / "site" / "assets" / "match.js").read_text("utf-8")
    (page.parent / "match.js").write_text(script, encoding="utf-8")
    (page.parent / "data.js").write_text(f"const casebookIndex = {data};", encoding="utf-8")
    page.write_text(
        '<meta charset="utf-8"><script src="match.js"></script><script src="data.js"></script>'
    )
    browser.get(page.as_uri())
    return browser


def test_both_searches_answer_alike(searcher: Any, index: Index) -> None:
    """The same cases, scores, lines and releases, to the last digit."""
    texts = list(vectors(index))
    answers = searcher.execute_script(MATCH_ALL, texts)
    found = 0
    for text, answer in zip(texts, answers, strict=True):
        expected = search(index, read_lines(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
        matches = [
            [
                *(it.page.name, it.page.kind, it.page.title, it.page.summary, it.page.fix),
                *(it.score, it.by, [[line.number, line.text] for line in it.lines]),
            ]
            for it in expected.matches
        ]
        query, unexplained = expected.query, [*expected.unexplained]
        assert answer == [query, expected.torch, unexplained, matches], text[:300]
        found += bool(matches)
    assert found > len(texts) / 2


def test_both_say_alike_what_is_known_there(searcher: Any) -> None:
    """By verdict, fix, and the nearest releases."""
    decided = {
        "torch-2.9.1-cpu": "refuted",
        "torch-2.11.0-cpu": "confirmed",
        "torch-2.11.0-h100": "refuted",
        "torch-2.16.0.dev1-cpu": "confirmed",
    }
    answers = [
        Answer("t", "s", "f", decided, []),
        Answer("t", "s", "f", decided, ["2.14", "2.13.1"]),
    ]
    named = ["2.1", "2.9", "2.9.2", "2.10", "2.11", "2.11.0", "2.12", "2.13.1", "2.16.0", "3.0"]
    for answer in [*answers, Answer("t", "s", "f", {}, [])]:
        said = searcher.execute_script(THERE, msgspec.json.encode(answer).decode(), ["", *named])
        assert said == [status_on(answer, torch) for torch in ["", *named]]


def test_our_data_is_small(content: Content) -> None:
    """With all areas and guides, and a page for each kind of message: at most 120 kB, zipped."""
    pages = [*other_pages(content.repository), *families()]
    assert len(gzip.compress(match_data(content, pages).encode(), 9)) <= 120_000


def test_a_search_is_quick(browser: Any, content: Content, tmp_path: Path) -> None:
    """The first one reads the data, too; the others only search."""
    pages = [*other_pages(content.repository), *families()]
    data = match_data(content, pages).removeprefix("const casebookData = ").rstrip(";\n")
    script = (REPOSITORY / "site" / "assets" / "match.js").read_text("utf-8")
    (tmp_path / "all.js").write_text(f"{script}\nconst casebookText = {json.dumps(data)};")
    (tmp_path / "index.html").write_text('<meta charset="utf-8"><script src="all.js"></script>')
    browser.get((tmp_path / "index.html").as_uri())
    assert cpu_seconds(browser, FIND, "recomplie limit") <= 0.3
    for text in ("GB0170", "how do I stop it from recompiling for every batch size", "mark_unb"):
        assert cpu_seconds(browser, FIND, text) <= 0.05


def cpu_seconds(browser: Any, script: str, *arguments: str) -> float:
    """What a script takes of a processor, whatever else the machine does."""

    def spent() -> float:
        metrics = browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(it["value"] for it in metrics if it["name"] == "TaskDuration"))

    browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    before = spent()
    browser.execute_script(script, *arguments)
    return spent() - before


def test_the_index_is_in_proportion_to_the_catalog(tmp_path: Path) -> None:
    """A page of one case is no more than its words."""
    world = World(tmp_path)
    world.catalog.mkdir(parents=True)
    populate(world)
    data = match_data(world.load())
    assert data.startswith("const casebookData = {") and len(data) < 12_000
    parsed = json.loads(data.removeprefix("const casebookData = ").rstrip(";\n"))
    assert len(parsed["answers"]) == len(parsed["index"]["pages"]) == 4


def ask(browser: Any, site: Path, text: str, torch: str = "") -> tuple[str, list[str]]:
    """Paste `text`; what the live region says, and the answers' texts."""
    browser.get((site / "match" / "index.html").as_uri())
    browser.execute_script("document.getElementById('cb-log').value = arguments[0]", text)
    browser.execute_script("document.getElementById('cb-torch').value = arguments[0]", torch)
    browser.find_element("css selector", "#cb-match [type=submit]").click()
    said = browser.find_element("id", "cb-said")
    WebDriverWait(browser, 5).until(lambda _: said.text)
    return said.text, [it.text for it in browser.find_elements("css selector", "#cb-matches li")]


def test_a_pasted_log_gets_its_case(browser: Any, site: Path) -> None:
    """With a link that opens from disk, the line, the fix, and the verdict of the release."""
    said, answers = ask(browser, site, "torch 2.13.0\n<b>x</b> Data-dependent branching GB0170")
    assert said == "1 case, best first. torch 2.13.0."
    assert "2: <b>x</b> Data-dependent branching GB0170" in answers[0]
    assert "Fix Use torch.where." in answers[0]
    assert "by its words alone" not in answers[0]
    assert "torch 2.13.0 confirmed on torch-2.13.0-cpu" in answers[0]
    link = browser.find_element("css selector", "#cb-matches a").get_attribute("href")
    assert link == (site / "catalog" / "tensor_branch" / "index.html").as_uri()
    assert not browser.find_element("id", "cb-nothing").is_displayed()


def test_the_release_can_be_named(browser: Any, site: Path) -> None:
    """It is asked instead of the log's."""
    said, answers = ask(browser, site, "torch 2.13.0\nData-dependent branching", torch="2.15.0")
    assert said.endswith("torch 2.15.0.")
    assert "torch 2.15.0 confirmed on torch-2.15.0-cpu" in answers[0]


def test_an_answer_by_words_alone_says_so(browser: Any, site: Path) -> None:
    """The words of a title, in another order."""
    browser.get((site / "match" / "index.html").as_uri())
    browser.find_element("id", "cb-log").send_keys("a dim that it keeps")
    browser.find_element("css selector", "#cb-match [type=submit]").click()
    assert browser.find_element("id", "cb-said").text.startswith("No line of this is known. ")
    assert "by its words alone" in browser.find_element("id", "cb-matches").text
    assert "TORCH_LOGS" in browser.find_element("id", "cb-nothing").text


def test_silence_says_what_to_run(browser: Any, site: Path) -> None:
    """Where nothing fits there is no answer, and the advice is in sight."""
    said, answers = ask(browser, site, "my dog ate it")
    assert (said, answers) == ("Nothing known.", [])
    assert "TORCH_LOGS" in browser.find_element("id", "cb-nothing").text


def test_a_break_without_a_case_leads_to_pytorch(browser: Any, site: Path) -> None:
    """Beside the cases that are found by other evidence."""
    _, answers = ask(browser, site, "Data-dependent branching\ngb/gb9999.html")
    assert len(answers) == 1
    link = browser.find_element("css selector", "#cb-unexplained a")
    assert (link.text, link.get_attribute("href")) == ("GB9999", REGISTRY.format("gb9999"))
    ask(browser, site, "Data-dependent branching")
    assert not browser.find_element("id", "cb-unexplained").is_displayed()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_is_read(browser: Any, site: Path, tmp_path: Path, encoding: str) -> None:
    """Also one that a Windows shell wrote."""
    file = tmp_path / "a.log"
    file.write_text("Data-dependent branching", encoding=encoding)
    browser.get((site / "match" / "index.html").as_uri())
    browser.find_element("id", "cb-file").send_keys(str(file))
    WebDriverWait(browser, 5).until(lambda b: b.find_elements("css selector", "#cb-matches li"))
    assert "tensor_branch" in browser.find_element("id", "cb-matches").text


def test_without_scripts_the_command_line_is_named(browser: Any, site: Path) -> None:
    """No control is there that would do nothing."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get((site / "match" / "index.html").as_uri())
        assert not browser.find_element("id", "cb-match").is_displayed()
        assert "python -m validators match" in browser.find_element("css selector", "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
