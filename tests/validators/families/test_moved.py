"""One break under two ids."""

from __future__ import annotations

from typing import Any

from validators.corpus.records.record import ModelRecord, load_records
from validators.families import causes_of, load_families, moved_ids, vocabulary_of
from validators.families.torch_source.found import Found
from validators.files import ROOT

BREAKS = [Found(key=f"GB000{n}", format=f"Type {n} of a break") for n in (1, 2, 3)]


def model(torch: str, *breaks: tuple[str, int]) -> ModelRecord:
    """A record of a model with these ids at these lines."""
    places = [
        {"id": key, "places": [{"file": "m.py", "line": line}, {"file": "o.py", "line": 1}]}
        for key, line in breaks
    ]
    fields: dict[str, Any] = {"python": "3.11", "packages": {}, "digest": "d", "calls": 1}
    return ModelRecord(
        model="net",
        column=f"torch-{torch}-cpu",
        torch=f"{torch}+cpu",
        trains=False,
        breaks={"breaks": places},
        fix=None,
        **fields,
    )


def test_a_line_of_a_real_model_breaks_under_another_id(world):
    """As line 332 of transformers' `output_capturing.py` does: GB4347 became GB9493."""
    found = moved_ids({}, [model("2.13.0", ("GB4347", 332)), model("2.15.0", ("GB9493", 332))])
    assert found == {"GB4347": {"GB9493": ("2.15.0",)}, "GB9493": {"GB4347": ("2.13.0",)}}


def test_a_place_with_two_ids_says_nothing(world):
    """Either may have become the other."""
    two = model("2.13.0", ("GB0001", 7), ("GB0002", 7))
    assert moved_ids({}, [two, model("2.15.0", ("GB0003", 7))]) == {}
    assert moved_ids({}, [model("2.13.0", ("GB0001", 7)), model("2.15.0", ("GB0003", 8))]) == {}
    assert moved_ids({}, [model("2.13.0", ("GB0001", 7)), model("2.15.0", ("GB0001", 7))]) == {}


def test_an_example_breaks_under_another_id(world):
    """It is one program, and shows one break."""
    world.record("graph_break", *BREAKS)
    world.case("one")
    for torch, n in (("2.11.0", 1), ("2.13.0", 1), ("2.15.0", 2)):
        world.example("one", f"[0/0] [__graph_breaks] Type {n} of a break", torch=torch)
    causes = causes_of(load_families(world.playbooks), world.repository)
    assert moved_ids(causes, []) == {
        "GB0001": {"GB0002": ("2.15.0",)},
        "GB0002": {"GB0001": ("2.11.0", "2.13.0")},
    }
    vocabulary = vocabulary_of(world.repository)
    (first, *_) = vocabulary.families
    assert vocabulary.moved_from(first) == {"GB0002": ("2.15.0",)}


def test_real_models_show_moves():
    """The one that their notes name is among them."""
    models, _ = load_records(ROOT / "playbooks" / "evidence")
    assert moved_ids({}, models.values())["GB4347"]["GB9493"] == ("2.15.0",)
