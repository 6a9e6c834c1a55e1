"""Releases are told as ranges, which no release between them contradicts."""

from __future__ import annotations

import pytest

from tests.validators.skillpack.conftest import PackWorld
from validators.skillpack.standing import all_columns, standing


@pytest.mark.parametrize(
    ("verdicts", "told"),
    [
        ({}, "Affects torch 2.13.0 (CPU);"),
        ({"2.9.1": "confirmed", "2.11.0": "confirmed"}, "Affects torch 2.9.1 to 2.13.0 (CPU);"),
        ({"2.9.1": "confirmed"}, "Affects torch 2.9.1 and 2.13.0 (CPU);"),
        (
            {"2.9.1": "confirmed", "2.11.0": "refuted"},
            "Affects torch 2.9.1 and 2.13.0 (CPU); fixed in torch 2.11.0 (CPU);",
        ),
        (
            {"2.11.0": "remedy-failed", "2.9.1": "unstable"},
            "Affects torch 2.13.0 (CPU); fix fails on torch 2.11.0 (CPU);",
        ),
    ],
)
def test_where_a_case_is_decided(
    pack_world: PackWorld, verdicts: dict[str, str], told: str
) -> None:
    """The other case has a verdict on 2.9.1, 2.11.0 and 2.13.0; 2.11.0 lies within the range."""
    for torch in ("2.9.1", "2.11.0"):
        pack_world.decide("two", torch)
    for torch, verdict in verdicts.items():
        pack_world.decide("one", torch, verdict)
    repository, _ = pack_world.read()
    case = repository.catalog.by_name["one"]
    assert standing(case, repository, all_columns(repository)).startswith(told)


def test_a_device_without_a_verdict_is_undecided(pack_world: PackWorld) -> None:
    """Nothing is said of a device that the claim is not about."""
    pack_world.case("one", devices=["cpu", "cuda"])
    pack_world.decide("one", "2.13.0")
    repository, _ = pack_world.read()
    told = {
        name: standing(case, repository, all_columns(repository))
        for name, case in repository.catalog.by_name.items()
    }
    assert told["one"] == "Affects torch 2.13.0 (CPU); undecided on a GPU."
