"""The built site, read as a browser would fetch it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from docsite.pages.aspects import ASPECTS

from tests.world import GRAPH, World, front, populate
from validators.probes.report import GraphInput, Report

from .conftest import built, html_of


class _Links(HTMLParser):
    """Collects the ids of a page, where it leads, and what it loads."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.add(str(found["id"]))
        if tag == "a" and found.get("href"):
            self.links.append(str(found["href"]))
        for name in ("src", "href"):
            if found.get(name) and tag in {"script", "img", "link", "iframe", "source"}:
                self.loads.append(str(found[name]))


def page(site: Path, path: str) -> str:
    """The HTML of a page without markup, in one line, or a failure if it is not there."""
    text = (site / path).read_text(encoding="utf-8")
    return " ".join(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", text, flags=re.S).split())


def test_what_claims_about_cuda_rest_on_is_shown(site: Path) -> None:
    """Those that no GPU ran are in plain sight."""
    about = page(site, "about/index.html")
    for said in ("4 claims apply to CUDA.", "0 ran on a GPU", "4 are open"):
        assert said in about
    assert "about kernels" not in about
    said = "2 of 4 claims are decided. Of 4 that apply to CUDA, 0 ran on a GPU, 4 are open"
    assert said in page(site, "index.html")


def test_a_case_page_is_made_of_its_records(site: Path) -> None:
    """Status, matrix, observations, provenance and the proof come from data."""
    text = page(site, "catalog/tensor_branch/index.html")
    for said in (
        "Affects torch 2.13.0 and 2.15.0 (CPU); undecided on a GPU.",
        "GB0170 Data-dependent branching at proof.py:12",
        "x[4, s0] float32",
        "torch 2.15.0+cpu, Python 3.12.4",
        "def shows ( report ):",
        "casebook run tensor_branch --python /path/to/your/python --device cuda",
        "pytorch/pytorch#123 , fixed in torch 2.15.0",
        "2026-01-23: Claim introduced by The first try",
        "Cited by Decide , compile-vlm",
    ):
        assert said in text
    html = (site / "catalog/tensor_branch/index.html").read_text()
    assert 'href="https://github.com/pytorch/pytorch/issues/123"' in html
    assert html.count('scope="col"') >= 4 and "<caption>" in html


def test_a_case_page_says_what_a_run_needs(world: World) -> None:
    """Packages, and memory that not every GPU has."""
    world.case("large", front(needs="[triton]", gpu_memory="98304"))
    said = "This case also needs triton. Its GPU must have 96 GiB of memory."
    assert said in html_of(world.load(), "catalog/large/index.html")


def test_a_modules_own_tensors_are_only_counted() -> None:
    """A model's parameters would bury the inputs that calls pass."""
    names = ["x", "l_model_modules_0_parameters_weight", "l_model_buffers_inv_freq"]
    graph = replace(GRAPH, inputs=tuple(GraphInput(n, (2,), "torch.float32") for n in names))
    (read,) = (read for name, read, _ in ASPECTS if name == "Graphs")
    said = read(Report(graphs=(graph,)))
    assert said[1].endswith("; x[2] float32, 2 other inputs")


def test_a_retraction_strikes_the_belief(site: Path) -> None:
    """The believed sentence is marked as deleted."""
    html = (site / "catalog/unbacked_dim/index.html").read_text()
    assert "<del>Marking a dim <code>dynamic</code> is always enough.</del>" in html
    assert "boom &lt;b&gt;" in html
    assert "f (0/1): x.size(0) == 1" in html


def test_figures_and_citations_are_filled(site: Path) -> None:
    """A typed 577 gives way to the record's 3, and a citation is a link."""
    html = (site / "catalog/unbacked_dim/index.html").read_text()
    assert "577" not in html
    case, column = "../tensor_branch/index.html", "torch-2.13.0-cpu"
    assert f'<a href="{case}" title="symptom.ops of tensor_branch on {column}">3</a> ops' in html
    assert f'See <a href="{case}">tensor_branch</a>' in html


def test_every_link_of_every_page_leads_somewhere(site: Path) -> None:
    """Pages, anchors and assets are all there, and nothing is loaded from elsewhere."""
    pages = {file: _Links(file.read_text("utf-8")) for file in site.rglob("*.html")}
    assert len(pages) > 15
    known = {file.resolve(): links for file, links in pages.items()}
    lost = [line for file in pages if file.name != "404.html" for line in _lost(file, known)]
    assert lost == []
    loads = [url for links in pages.values() for url in links.loads]
    assert not [url for url in loads if re.match(r"(https?:)?//", url)]


def _lost(file: Path, known: dict[Path, _Links]) -> Iterator[str]:
    links = known[file.resolve()]
    for url in links.links + links.loads:
        if re.match(r"[a-z]+:", url):
            continue
        path, _, anchor = url.partition("#")
        path = path.partition("?")[0]
        target = (file.parent / path).resolve() if path else file.resolve()
        if not target.is_file():
            yield f"{file}: {url}"
        elif anchor and target in known and anchor not in known[target].ids:
            yield f"{file}: {url} (anchor)"


def test_case_pages_stay_out_of_the_navigation(site: Path) -> None:
    """The navigation is printed into every page, so it must not grow with the catalog."""
    home = (site / "about/index.html").read_text()
    assert "catalog/index.html" in home and "catalog/tensor_branch" not in home


def test_equal_inputs_give_equal_bytes(site: Path, world: World) -> None:
    """A second build from a second copy is the same, file by file."""
    populate(world)
    assert _files(site) == _files(built(world))


def _files(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_a_readers_own_evidence_overlays_ours(world: World) -> None:
    """The last `--evidence` wins where both have a record."""
    world.case("one", front())
    world.record("one", verdict="confirmed")
    world.record("one", verdict="refuted", folder="mine")
    world.extra = [world.root / "mine"]
    assert world.load().standings["one"].overall.key == "refuted"
