from __future__ import annotations

from docsite.content import Content
from docsite.matrix import by_release, details, environments, groups, spans

from tests.world import World, front
from validators.evidence.columns import in_order

GPU = "NVIDIA H200"


def shown(content: Content, name: str) -> list[tuple[str, str]]:
    """The state and the releases of each span of the case's row."""
    cells = content.standings[name].on(content.environments)
    return [(span.state.key, span.releases) for span in spans(cells)]


def test_columns_stand_by_device_so_that_ranges_can_form() -> None:
    """A GPU between two releases of the CPU would tear them apart."""
    names = [
        "torch-2.11.0-h200",
        "torch-2.9.1-cpu",
        "torch-2.13.0-cpu",
        "torch-2.11.0-sm90-compiled",
        "torch-2.11.0-arc-b580-xpu",
    ]
    columns = in_order(names)
    found = groups(environments(columns, ["cpu", "cuda"]))
    assert [(label, [c.torch for c in each]) for label, each in found] == [
        ("CPU", ["2.9.1", "2.13.0"]),
        ("CUDA H200", ["2.11.0"]),
        ("XPU ARC-B580", ["2.11.0"]),
        ("compiled for sm_90, never run", ["2.11.0"]),
    ]


def test_a_device_that_never_ran_has_a_column_without_a_name() -> None:
    """Nobody is to take what has not run for what does not exist."""
    for devices in ([], ["cpu"], ["cpu", "cuda"]):
        found = environments([], devices)
        assert [(c.name, c.device) for c in found] == [("", device) for device in devices]


def test_equal_neighbours_share_a_cell(world: World) -> None:
    """The range names its first and its last release; CUDA without a column is undecided."""
    world.case("one", front())
    for torch in ("2.11.0", "2.13.0", "2.14.0"):
        world.record("one", torch)
    world.record("one", "2.15.0", verdict="refuted")
    assert shown(world.load(), "one") == [
        ("confirmed", "2.11.0 \N{EN DASH} 2.14.0"),
        ("refuted", "2.15.0"),
        ("undecided", ""),
    ]


def test_what_differs_or_ran_elsewhere_does_not_share_a_cell(world: World) -> None:
    """Neither another GPU, nor a stale record, nor a verdict that was not expected."""
    world.case("one", front(holds='[{torch: ">=2.14"}]'))
    world.record("one", "2.13.0", verdict="refuted")
    world.record("one", "2.14.0", verdict="refuted")
    world.record("one", "2.14.0", GPU, verdict="refuted")
    world.record("one", "2.14.0", "NVIDIA H100", verdict="refuted")
    world.record("one", "2.15.0", GPU, digest="0")
    assert len(shown(world.load(), "one")) == 5


def test_a_claim_about_the_cpu_is_not_undecided_on_cuda(world: World) -> None:
    """It has no meaning there, whether or not CUDA has a column; a casebook of such has no CUDA."""
    world.case("one", front(devices="[cpu]"))
    world.record("one")
    assert shown(world.load(), "one") == [("confirmed", "2.13.0")]
    world.case("two", front())
    assert shown(world.load(), "one")[-1][0] == "na"
    world.record("two", "2.13.0", GPU)
    content = world.load()
    assert shown(content, "one")[-1][0] == "na"
    assert shown(content, "two")[0] == ("undecided", "2.13.0")


def test_releases_that_only_another_device_has(world: World) -> None:
    """Where CUDA has some column, each release that it lacks is named."""
    world.case("one", front())
    world.record("one", "2.13.0")
    assert list(by_release(world.load().environments)) == []
    world.record("one", "2.15.0", GPU)
    missing = by_release(world.load().environments)
    assert [(c.device, c.torch) for c in missing] == [("cpu", "2.15.0"), ("cuda", "2.13.0")]


def test_equal_details_are_said_once(world: World) -> None:
    """The machine is the same, the releases are not; what no record says is left out."""
    world.case("one", front(devices="[cpu]"))
    world.record("one", "2.13.0")
    world.record("one", "2.15.0")
    content = world.load()
    said = dict(details(content.standings["one"].on(content.columns)))
    assert [text for text, _ in said["Machine"]] == ["Example CPU"]
    assert [text.split(",")[0] for text, _ in said["Software"]] == [
        "torch 2.13.0+cpu",
        "torch 2.15.0+cpu",
    ]
    assert "Reason" not in said
