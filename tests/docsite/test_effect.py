"""What a case means on a release: the words, and that scripts say the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from docsite.effect import DEVICES, Here, here, short

from tests.world import World, front

GPU = "NVIDIA H200"
RELEASES = ["2.9.1", "2.11.0", "2.13.0", "2.15.0"]


def told(world: World, verdicts: str, **fields: Any) -> list[str]:
    """The news on each release of a case that has these verdicts, `.` for none."""
    lacks = {"reason": "the remedy needs `torch.x`, which torch 2.9.1 lacks"}
    words = {
        "c": {},
        "r": {"verdict": "refuted"},
        "f": {"verdict": "remedy-failed"},
        "s": {"verdict": "skipped"},
        "t": {"verdict": "refuted", "reason": "the symptom left 1 graph break"},
        "l": {"verdict": "remedy-failed", **lacks},
    }
    world.case("one", front(**fields))
    world.case("other", front())
    for release, letter in zip(RELEASES, verdicts, strict=True):
        world.record("other", release)
        if letter != ".":
            world.record("one", release, **words[letter])
    return [said for _, said in here(world.load().standings["one"]).each]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ("cccc", "affects 2.9.1; affects 2.11; affects 2.13; affects 2.15"),
        (
            "ccrr",
            "affects 2.9.1, fixed in 2.13; affects 2.11, fixed in 2.13; fixed in 2.13;"
            " fixed in 2.13",
        ),
        (
            "rcfr",
            "not shown on 2.9.1; affects 2.11, fixed in 2.15; fix fails on 2.13, fixed in 2.15;"
            " fixed in 2.15",
        ),
        (
            "tlrr",
            "not shown on 2.9.1; affects, fix not tried on 2.11, fixed in 2.13; fixed in 2.13;"
            " fixed in 2.13",
        ),
        (
            "s.rr",
            "not tried on 2.9.1; not tried on 2.11; not shown on 2.13; not shown on 2.15",
        ),
        (
            "crcr",
            "affects 2.9.1, fixed in 2.11; fixed in 2.11; affects 2.13, fixed in 2.15;"
            " fixed in 2.15",
        ),
    ],
)
def test_a_limitation(world: World, verdicts: str, said: str) -> None:
    """*Confirmed* is bad news, and a release that no longer shows it fixed it."""
    assert told(world, verdicts) == said.split("; ")


def test_a_limitation_whose_cause_is_named(world: World) -> None:
    """Older releases are told that it does not affect them."""
    since = "Torch 2.11 brought it."
    assert told(world, "rrcr", since=since) == [
        "does not affect 2.9.1",
        "does not affect 2.11",
        "affects 2.13, fixed in 2.15",
        "fixed in 2.15",
    ]
    view = here(world.load().standings["one"])
    assert [it.tone for it, _ in view.each] == ["good", "good", "bad", "good"]


def test_good_news_has_words_of_its_own(world: World) -> None:
    """A practice works, a belief is false; neither affects anybody."""
    assert told(world, "cfr.", kind="practice") == [
        "works on 2.9.1",
        "does not help on 2.11",
        "makes no difference on 2.13",
        "not tried on 2.15",
    ]
    believed = {"kind": "retraction", "believed": "x"}
    assert told(world, "cfrc", **believed)[:3] == [
        "belief false on 2.9.1",
        "belief false, fix fails on 2.11",
        "belief true on 2.13",
    ]


def test_the_newest_verdict_is_the_news(world: World) -> None:
    """Without one, nobody tried."""
    told(world, "cc.s")
    view = here(world.load().standings["one"])
    assert view.newest[1] == "affects 2.11"
    world.case("new", front())
    assert here(world.load().standings["new"]).newest[1] == "not tried"
    world.case("old", front(withdrawn="wrong"))
    assert here(world.load().standings["old"]).newest[1] == "retired"


def test_a_claim_about_gpus_is_told_of_gpus(world: World) -> None:
    """Whatever the CPU's column says."""
    world.case("gpu", front(devices="[cuda]"))
    world.case("cpu", front(devices="[cpu]"))
    world.record("cpu", "2.13.0")
    world.record("gpu", "2.15.0", GPU)
    standings = world.load().standings
    gpu, cpu = here(standings["gpu"]), here(standings["cpu"])
    assert gpu.newest[1] == "affects 2.15 (GPU)"
    assert [said for _, said in gpu.each] == ["not tried on 2.13 (GPU)", "affects 2.15 (GPU)"]
    assert cpu.on("2.15.0", "cuda")[1] == "not about GPUs"
    assert len(cpu.code) == len(DEVICES) * len(cpu.releases)


def test_what_was_only_compiled_is_told_as_that(world: World) -> None:
    """A verdict on a CPU is better news."""
    world.case("gpu", front(devices="[cuda]", compiled="kernels"))
    world.case("both", front(compiled="tracing"))
    for case in ("gpu", "both"):
        world.record(case, gpu="sm_90")
    world.record("both")
    standings = world.load().standings
    assert here(standings["gpu"]).newest[1] == "only compiled for sm_90, never run"
    assert here(standings["both"]).newest[1] == "affects 2.13"


def test_signs_are_told_of_each_device_that_decided(world: World) -> None:
    """With the releases that tried it, none if none did; GPUs beside the CPU."""
    world.case("both", front())
    world.case("gpu", front(devices="[cuda]"))
    for case, release, device in (("both", "2.13.0", ""), ("both", "2.15.0", GPU)):
        world.record(case, release, *([device] if device else []))
    standings = world.load().standings
    told = [
        [(on, [(it, effect.symbol) for it, effect, _ in signs]) for on, signs in here(it).signs]
        for it in (standings["both"], standings["gpu"])
    ]
    assert told[0] == [("", [("2.13", "●")]), ("GPU", [("2.15", "●")])]
    assert told[1] == []


def test_releases_as_people_say_them() -> None:
    """A patch is said if there was one."""
    assert [short(it) for it in ("2.13.0", "2.9.1", "2.10")] == ["2.13", "2.9.1", "2.10"]


ALL = """
return arguments[0].map(([kind, code, chosen]) => casebook.news(kind, code, chosen));
"""


def views(releases: list[str]) -> Iterator[Here]:
    """All that two releases can say of a case, on the CPU and on a GPU."""
    some = ["confirmed", "refuted", "remedy-failed", "undecided", "stale", "unexplained"]
    for kind, pair in product(("limitation", "practice", "retraction"), product(some, repeat=2)):
        for cpu, cuda in ((pair, ["na", "na"]), (pair, pair[::-1]), (["na", "na"], pair)):
            yield Here(kind, releases, {"cpu": list(cpu), "cuda": list(cuda)})


@pytest.mark.smoke
@pytest.mark.browser
def test_scripts_say_the_same(browser: Any, site: Path) -> None:
    """Tone, sign and words, on each release and device."""
    data = (site / "assets" / "torch.js").read_text("utf-8")
    releases = json.loads(data.partition("=")[2].rstrip(";\n"))["releases"]
    browser.get((site / "index.html").as_uri())
    asked, expected = [], []
    for view, release, device in product(views(releases), releases, ("", "cuda")):
        asked.append([view.kind, view.code, f"{release} {device}".strip()])
        effect, said = view.on(release, device)
        expected.append([effect.tone, effect.symbol, said])
    assert browser.execute_script(ALL, asked) == expected
    assert len(asked) == 1296
