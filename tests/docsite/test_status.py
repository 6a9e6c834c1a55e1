from __future__ import annotations

import pytest

from tests.world import World, front
from validators.errors import CasebookError
from validators.evidence.columns import column, in_order
from validators.evidence.coverage import Coverage
from validators.published.standing import cuda_coverage, decided_share


def test_columns_stand_in_version_order_with_the_cpu_first() -> None:
    """2.9 precedes 2.13, a prerelease its release, and the CPU a GPU."""
    names = ["torch-2.13.0-h200", "torch-2.9.1-cpu", "torch-2.13.0-cpu", "torch-2.13.0rc1-cpu"]
    assert [c.place for c in in_order(names)] == [
        "2.9.1 (CPU)",
        "2.13.0rc1 (CPU)",
        "2.13.0 (CPU)",
        "2.13.0 (H200)",
    ]


@pytest.mark.parametrize("name", ["", "torch-2.13.0", "numpy-1.0-cpu", "torch-new-cpu"])
def test_a_name_that_is_no_column_is_said_to_be_none(name: str) -> None:
    """An evidence file's odd column is refused in a sentence."""
    with pytest.raises(CasebookError, match="torch-VERSION-DEVICE"):
        column(name)


def test_a_case_that_never_ran_is_undecided(world: World) -> None:
    """Without a record nothing is claimed."""
    world.case("one", front())
    standing = world.load().standings["one"]
    assert standing.sentence == "Undecided: no program has run it yet."
    assert standing.overall.key == "undecided"


def test_confirmed_on_the_cpu_stays_undecided_on_cuda(world: World) -> None:
    """The sentence names every environment, and the device that nobody ran."""
    world.case("one", front())
    world.record("one", "2.15.0")
    world.record("one", "2.13.0")
    standing = world.load().standings["one"]
    assert standing.sentence == "Affects torch 2.13.0 and 2.15.0 (CPU); undecided on a GPU."
    assert standing.overall.key == "confirmed"


def test_a_run_where_a_claim_has_no_meaning_leaves_it_undecided(world: World) -> None:
    """Skipped is what lacks something on a device that the claim is about."""
    world.case("one", front(devices="[cuda]"))
    world.record("one", verdict="skipped", reason="needs a CUDA device")
    assert world.load().standings["one"].overall.key == "undecided"
    world.record("one", gpu="NVIDIA H200", verdict="skipped", reason="needs triton")
    assert world.load().standings["one"].overall.key == "skipped"


def test_the_sentence_names_releases_by_device(world: World) -> None:
    """A device is said once, however many releases it ran."""
    world.case("one", front())
    for torch, gpu in (("2.13.0", ""), ("2.15.0", ""), ("2.13.0", "NVIDIA H200")):
        world.record("one", torch, gpu)
    sentence = world.load().standings["one"].sentence
    assert sentence == "Affects torch 2.13.0 and 2.15.0 (CPU) and 2.13.0 (H200)."


def test_the_sentence_joins_neighbouring_releases(world: World) -> None:
    """Three or more, unless one between them says something else; compiled ones, too."""
    world.case("one", front(compiled="kernels"))
    world.case("two", front())
    for torch in ("2.9.1", "2.10.0", "2.11.0", "2.12.1", "2.13.0"):
        world.record("one", torch)
        world.record("one", torch, "sm_90")
        world.record("two", torch, verdict="refuted" if torch == "2.10.0" else "confirmed")
    standings = world.load().standings
    assert standings["one"].sentence == (
        "Affects torch 2.9.1 to 2.13.0 (CPU); compiled for sm_90, never run: provisionally affects "
        "torch 2.9.1 to 2.13.0; undecided on a GPU."
    )
    assert standings["two"].sentence == (
        "Affects torch 2.9.1 and 2.11.0 to 2.13.0 (CPU); fixed in torch 2.10.0 (CPU); "
        "undecided on a GPU."
    )


def test_a_changed_proof_makes_its_record_stale(world: World) -> None:
    """Stale evidence decides nothing and is called stale."""
    world.case("one", front())
    world.record("one")
    world.write("playbooks/catalog/graph_breaks/one.py", "def shows(report): return True\n")
    standing = world.load().standings["one"]
    assert standing.overall.key == "stale"
    assert standing.cells[0].was == "confirmed"
    assert not standing.decided
    assert standing.sentence.startswith("Not run since its last change on torch 2.13.0 (CPU)")
    assert standing.sentence.endswith("; undecided on a CPU; undecided on a GPU.")


def test_environments_that_disagree_are_said_to_differ(world: World) -> None:
    """Neither verdict wins."""
    world.case("one", front(devices="[cpu]"))
    world.record("one", "2.13.0", verdict="refuted")
    world.record("one", "2.15.0")
    standing = world.load().standings["one"]
    assert standing.overall.key == "differs"
    assert standing.cells[0].surprising and not standing.cells[1].surprising


def test_outside_holds_a_refutation_is_no_surprise(world: World) -> None:
    """`holds` says where a confirmation is expected."""
    world.case("one", front(holds='[{torch: ">=2.14"}]'))
    world.record("one", "2.13.0", verdict="refuted")
    assert not world.load().standings["one"].cells[0].surprising


def test_a_retired_case_says_why(world: World) -> None:
    """A case that is superseded is neither true nor undecided."""
    world.case("new", front())
    world.case("old", front(superseded_by="new"))
    standing = world.load().standings["old"]
    assert (standing.overall.key, standing.sentence) == ("retired", "Superseded by new.")


def test_what_was_compiled_is_never_counted_with_what_ran(world: World) -> None:
    """The sentence says so, and that a GPU has the last word."""
    world.case("both", front(compiled="tracing"))
    world.case("gpu", front(compiled="kernels", devices="[cuda]"))
    world.record("both")
    for case in ("both", "gpu"):
        world.record(case, gpu="sm_90")
    both, gpu = (world.load().standings[it] for it in ("both", "gpu"))
    assert both.sentence == (
        "Affects torch 2.13.0 (CPU); compiled for sm_90, never run: provisionally affects torch "
        "2.13.0; undecided on a GPU."
    )
    assert (both.overall.key, both.open_devices, len(both.decided)) == ("confirmed", ["cuda"], 1)
    assert (gpu.overall.key, gpu.open_devices, gpu.decided) == ("compiled", ["cuda"], [])
    assert decided_share([both, gpu]) == (1, 2)


def test_coverage_of_cuda_counts_each_claim_once(world: World) -> None:
    """By a GPU, by the kernels that were compiled, by tracing as on a CPU, or not at all."""
    world.case("ran", front(compiled="kernels"))
    world.record("ran", gpu="NVIDIA H200")
    world.record("ran", gpu="sm_90")
    world.case("kernels", front(compiled="kernels", devices="[cuda]"))
    world.record("kernels", gpu="sm_90")
    for name in ("as_on_cpu", "not_as_on_cpu", "not_on_cpu"):
        world.case(name, front(compiled="tracing"))
        world.record(name, gpu="sm_90")
    world.record("as_on_cpu")
    world.record("not_as_on_cpu", verdict="refuted", shows={"symptom": False, "remedy": False})
    world.record("not_on_cpu", "2.11.0")
    world.case("asked_too_much", front(compiled="kernels"))
    world.record("asked_too_much", gpu="sm_90", verdict="undecided", reason="a clock")
    found = cuda_coverage(list(world.load().standings.values()))
    assert found == Coverage(claims=6, ran=1, compiled=1, independent=1, open=3)
    assert found.told == (
        "1 ran on a GPU, 1 were compiled for one, 1 proved independent of the device, 3 are open"
    )


def test_cuda_coverage_counts_current_decisions_on_a_gpu_only(world: World) -> None:
    """Skipped records, stale ones, CPU-only claims and retired cases do not count."""
    world.case("decided", front())
    world.record("decided", gpu="NVIDIA H200")
    world.case("skipped", front())
    world.record("skipped", gpu="NVIDIA H200", verdict="skipped", reason="needs triton")
    world.case("stale", front())
    world.record("stale", gpu="NVIDIA H200", digest="0")
    world.case("on_cpu", front(devices="[cpu]"))
    world.record("on_cpu")
    world.case("retired", front(withdrawn="wrong"))
    found = cuda_coverage(list(world.load().standings.values()))
    assert found == Coverage(claims=3, ran=1, compiled=0, independent=0, open=2)
    assert found.told == "1 ran on a GPU, 2 are open"
