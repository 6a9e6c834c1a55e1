"""Paste an error: the browser gives the answers of the command line, and all of them as text."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from docsite.content import Content, load
from docsite.pages.match import DATA, match_data
from docsite.pages.packed import packed
from docsite.pages.releases import upgrades
from selenium.webdriver.support.ui import WebDriverWait

from tests.world import CASEBOOK, World, front, populate
from validators.checks.judged.judged_queries import load_queries
from validators.cli import cli
from validators.cli.places import Places
from validators.match import REGISTRY, Index, read_lines, search
from validators.match.incidents import Cause
from validators.match.index import data_of
from validators.match.knowledge import Knowledge
from validators.match.results import cause_result
from validators.match.words import words_of
from validators.mcp_server.server import Casebook
from validators.repository import Repository

from ..conftest import REPOSITORY, built
from .test_messages import write_messages

pytestmark = pytest.mark.browser
ASSETS = REPOSITORY / "site" / "assets"
CATALOG, JUDGED = (REPOSITORY / "playbooks" / it for it in ("catalog", "judged"))
MATCH_ALL = """
const name = (number) => ours.pages[number].name;
return arguments[0].map((text) => casebookMatch.search(ours, text)).map((found) =>
    [found.query, found.sure, found.torch, found.unexplained, found.unknown,
     found.near ? found.near.name : "", found.matches.map((it) =>
        [it.name, it.kind, it.title, it.summary, it.fix, it.score, it.by,
         it.lines.map(({line, text}) => [line, text])]),
     found.causes.map((it) => [it.happened, it.count, it.ranks, it.line, it.place, it.own,
         it.reason, it.families, it.cases.map(name), it.possible.map(name)])]);
"""
READ = "window.ours ||= casebookIndex(JSON.parse(casebookText)).index;"
FIND = f"""
{READ}
casebookMatch.search(ours, arguments[0]);
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
    for line in (JUDGED / "user_logs.jsonl").read_text("utf-8").removesuffix("\n").split("\n"):
        yield json.loads(line)["log"]
    for query in load_queries(JUDGED):
        yield query.text
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
def index(knowledge: Callable[[Repository], Knowledge]) -> Index:
    """The index of our own catalog, its areas and its guides."""
    return knowledge(Repository(CATALOG)).index


@pytest.fixture(scope="module")
def content() -> Content:
    """All of our own content."""
    return load(CATALOG, [])


def write_search(page: Path, data: str, last: str) -> None:
    """A page that has the search, `data` as `casebookText`, and does `last`."""
    scripts = [(ASSETS / it).read_text("utf-8") for it in ("match.js", "index.js")]
    text = "\n".join([*scripts, f"const casebookText = {json.dumps(data)};", last])
    (page.parent / "all.js").write_text(text, encoding="utf-8")
    page.write_text('<meta charset="utf-8"><script src="all.js"></script>')


@pytest.fixture(scope="module")
def searcher(browser: Any, index: Index, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A browser that has the search and our own index."""
    page = tmp_path_factory.mktemp("search") / "index.html"
    data = msgspec.json.encode(
        {"index": packed(data_of(index)), "kinds": [], "answers": []}
    ).decode()
    write_search(page, data, READ)
    browser.get(page.as_uri())
    return browser


@pytest.mark.smoke
def test_both_searches_answer_alike(searcher: Any, index: Index) -> None:
    """The same cases, scores, lines and releases, to the last digit."""
    texts = list(vectors(index))
    parts = (texts[start : start + 100] for start in range(0, len(texts), 100))
    answers = [it for part in parts for it in searcher.execute_script(MATCH_ALL, part)]
    found = told = 0
    for text, answer in zip(texts, answers, strict=True):
        expected = search(index, read_lines(io.BytesIO(text.encode("utf-8", "surrogatepass"))))
        matches = [
            [
                *(it.page.name, it.page.kind, it.page.title, it.page.summary, it.page.fix),
                *(it.score, it.by, [[line.number, line.text] for line in it.lines]),
            ]
            for it in expected.matches
        ]
        causes = [_as_in_the_browser(index, it) for it in expected.causes]
        near = expected.near.name if expected.near else ""
        kind = [expected.query, expected.sure, expected.torch]
        lacks = [[*expected.unexplained], [*expected.unknown], near]
        assert answer == [*kind, *lacks, matches, causes], text[:300]
        found, told = found + bool(matches), told + len(causes)
    assert found > len(texts) / 2 and told > 500


def _as_in_the_browser(index: Index, cause: Cause) -> list[object]:
    """A cause as the browser's search gives it."""
    it = cause_result(index, cause, {})
    families = sorted(cause.first.families)
    told = [it.place, it.own, it.reason, families, it.cases, it.possible]
    return [it.happened, it.count, it.ranks, it.line, *told]


def test_a_search_is_quick(browser: Any, content: Content, tmp_path: Path) -> None:
    """The first one reads the data, too; the others only search."""
    found = upgrades(content)
    data = match_data(content, found).removeprefix("const casebookData = ").rstrip(";\n")
    write_search(tmp_path / "index.html", data, "")
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


def data_of_site(site: Path) -> Any:
    """What the site's scripts search."""
    text = (site / DATA).read_text("utf-8")
    return json.loads(text.removeprefix("const casebookData = ").rstrip(";\n"))


def test_the_index_is_in_proportion_to_the_catalog(site: Path) -> None:
    """A page of one case is no more than its words; other pages come after the cases."""
    assert (site / DATA).stat().st_size < 16_000
    data = data_of_site(site)
    (kind, no_address, _, cases), *others = data["index"]["pages"]
    assert (kind, no_address, len(cases)) == ("case", "", len(data["answers"]))
    assert len(cases) == 4 and data["kinds"][data["answers"][0][0]] == "limitation"
    found = {address.replace("{}", row[0]) for _, address, _, rows in others for row in rows}
    assert all((site / it).is_file() for it in found)
    assert {"areas/memory/index.html", "guides/decide/index.html"} <= found


def test_a_browser_reads_the_pages_that_were_packed(searcher: Any, index: Index) -> None:
    """Their fields and defaults, and a name at the beginning of each title of a group."""
    data = data_of(index)
    for number, page in enumerate(data["pages"]):
        page |= {"title": f"{page['name']}: {{}}"} if page.get("kind") == "area" else {}
        page |= {"href": f"{page['kind']}/{page['name']}/"} if number >= len(index.cases) else {}
    text = msgspec.json.encode({"index": packed(data), "kinds": [], "answers": []}).decode()
    read = searcher.execute_script("return casebookIndex(JSON.parse(arguments[0])).index", text)
    texts = dict.fromkeys(("summary", "fix", "href", "docs"), "")
    defaults = texts | {"kind": "case", "aliases": [], "tenths": 10, "steps": []}
    told = json.loads(msgspec.json.encode(data))
    assert read == told | {
        "pages": [defaults | it for it in told["pages"]],
    }


def ask(browser: Any, site: Path, text: str, torch: str = "", page: str = "match") -> list[str]:
    """Paste `text` with a chosen torch; what is said of the answers, and their texts."""
    path = f"{page}/index.html" if page else "index.html"
    browser.get((site / path).as_uri())
    script = "document.getElementById(arguments[0]).value = arguments[1]"
    browser.execute_script(script, "cb-log", text)
    browser.execute_script(script, "cb-torch", torch)
    browser.find_element("css selector", "#cb-paste [type=submit]").click()
    WebDriverWait(browser, 5).until(lambda b: b.find_elements("css selector", "#cb-answers > *"))
    said = browser.find_elements("css selector", "#cb-answers > p")
    return [" ".join(it.text for it in said)] + [
        it.text for it in browser.find_elements("css selector", "#cb-answers li")
    ]


@pytest.mark.smoke
@pytest.mark.parametrize("page", ["match", ""])
def test_a_pasted_log_gets_its_case(browser: Any, site: Path, page: str) -> None:
    """On the page and on home, with a link that opens from disk, the line and the fix."""
    text = "torch 2.13.0\n<b>x</b> Data-dependent branching GB0170"
    said, answer, *_ = ask(browser, site, text, page=page)
    assert said == "1 answer, best first."
    assert "2: <b>x</b> Data-dependent branching GB0170" in answer
    assert "Fix Use torch.where." in answer and "affects 2.15" in answer
    link = browser.find_element("css selector", "#cb-answers a").get_attribute("href")
    assert link == (site / "catalog" / "tensor_branch" / "index.html").as_uri()


def test_answers_follow_the_torch(browser: Any, site: Path) -> None:
    """The chosen one before that of the log; a release that nobody ran is said to be so."""
    text = "torch 2.14.0\n" + "a line of a log\n" * 30 + "Data-dependent branching"
    answer = " ".join(ask(browser, site, text))
    assert "No program has run on torch 2.14.0: affects 2.13; affects 2.15." in answer
    answer = " ".join(ask(browser, site, text, torch="2.13.0"))
    assert "affects 2.13" in answer and "No program" not in answer
    _, answer, *_ = ask(browser, site, "unbacked_dim", torch="2.13.0")
    assert "not shown on 2.13" in answer


def test_a_log_is_told_by_its_causes(browser: Any, site: Path) -> None:
    """A row for each, the costliest first, with its count, its place and its case."""
    line = "Recompiling function f in /home/u/model.py:{}\n    - 0/0: Data-dependent branching {}\n"
    text = "".join(line.format(n % 2, n) for n in range(5))
    said, *answers = ask(browser, site, "torch._dynamo\n" + text)
    assert said.startswith("2 causes, the costliest first.")
    assert answers[0].startswith("recompile \u00d7 3 /home/u/model.py:0 in f")
    assert answers[1].startswith("recompile \u00d7 2 /home/u/model.py:1 in f")
    assert "Tensor branch" in answers[0]


RECOMPILED = "Recompiling function {0} in /home/u/{0}.py:7\n    - 0/0: {1}\n"
TOLD = [
    RECOMPILED.format("f", "copies are slow") * 2 + RECOMPILED.format("g", "Data-dependent x"),
    RECOMPILED.format("f", "Data-dependent x") * 2
    + "torch._dynamo.exc.Unsupported: copies are slow, Data-dependent y",
    "tensor branch",
    "a copy that is slow",
]


def test_one_list_in_three_places(browser: Any, world: World) -> None:
    """The command line, the server of tools and the site give the same first three."""
    populate(world)
    world.write("playbooks/casebook.yaml", f"{CASEBOOK}subject: [torch._dynamo]\n")
    more = {"signatures": '["copies are slow"]', "fix": "Copy less."}
    world.case("slow_copy", front("A copy is slow.", **more), area="memory")
    site = built(world)
    places = Places(world.catalog)
    for text in TOLD:
        run = CliRunner().invoke(cli, ["match", text, "--json", "--catalog", str(places.catalog)])
        printed = [it["case"] for it in json.loads(run.stdout)["matches"]]
        served = [it["case"] for it in Casebook(places).match(text)["matches"]]
        ask(browser, site, text)
        links = browser.find_elements("css selector", "#cb-answers a[href*='/catalog/']")
        shown = [Path(it.get_attribute("href")).parent.name for it in links]
        assert printed[:3] == served[:3] == shown[:3] != [], text


def test_a_query_finds_other_pages(browser: Any, site: Path) -> None:
    """A guide by its title; the answer says what it is."""
    _, answer, *_ = ask(browser, site, "decide")
    assert answer.startswith("Decide") and "guide" in answer


LOG = "Traceback (most recent call last):\n" + '  File "a.py", line 3, in f\n' * 12


def test_an_answer_by_words_alone_says_so(browser: Any, world: World) -> None:
    """In a log about the casebook's subject; a query asks for nothing else."""
    populate(world)
    world.write("playbooks/casebook.yaml", f"{CASEBOOK}subject: [mark_unbacked]\n")
    site = built(world)
    line = "mark_unbacked keeps a dim of one, which is not specialized, with a size"
    said, *answers = ask(browser, site, "a line of a log\n" * 30 + line)
    assert said.startswith("No line of this is known. ") and "TORCH_LOGS" in said
    assert answers


def test_silence_says_what_to_run(browser: Any, site: Path) -> None:
    """Where nothing fits there is no answer, and the advice is in sight."""
    (said,) = ask(browser, site, "zebras ate my homework")
    assert said.startswith("Nothing known.") and "TORCH_LOGS" in said


def test_a_break_without_a_case_leads_to_pytorch(browser: Any, site: Path) -> None:
    """Beside the cases that are found by other evidence."""
    ask(browser, site, "Data-dependent branching\ngb/gb9999.html")
    links = browser.find_elements("css selector", "#cb-answers > p a")
    assert [(it.text, it.get_attribute("href")) for it in links] == [
        ("GB9999", REGISTRY.format("gb9999"))
    ]
    ask(browser, site, "Data-dependent branching")
    assert not browser.find_elements("css selector", "#cb-answers > p a")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_is_read(browser: Any, site: Path, tmp_path: Path, encoding: str) -> None:
    """Also one that a Windows shell wrote."""
    file = tmp_path / "a.log"
    file.write_text("Data-dependent branching", encoding=encoding)
    browser.get((site / "match" / "index.html").as_uri())
    browser.find_element("id", "cb-file").send_keys(str(file))
    WebDriverWait(browser, 5).until(lambda b: b.find_elements("css selector", "#cb-answers li"))
    assert "Tensor branch" in browser.find_element("id", "cb-answers").text


def test_without_scripts_the_command_line_is_named(browser: Any, site: Path) -> None:
    """No control is there that would do nothing."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get((site / "match" / "index.html").as_uri())
        assert not browser.find_element("id", "cb-paste").is_displayed()
        assert "casebook match FILE" in browser.find_element("css selector", "main").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_break_without_a_case_leads_to_its_page(browser: Any, world: World) -> None:
    """Where there is one; in a log, as others are not searched for by their id."""
    write_messages(world)
    site = built(world)
    ask(browser, site, f"{LOG}Data-dependent branching\ngb/gb0171.html")
    (link,) = browser.find_elements("css selector", "#cb-answers > p a")
    assert link.text == "GB0171: Another break"
    assert link.get_attribute("href") == (site / "gb" / "GB0171" / "index.html").as_uri()
