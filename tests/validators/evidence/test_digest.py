"""Whether a record still speaks of its case."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from validators.catalog import load_catalog
from validators.evidence import digest, digest_of, is_current, load_evidence
from validators.evidence.digest import ROOT, hash_of, place_of, resolve


@pytest.fixture
def current(tmp_path, write_case, make_record):
    """Whether the record of a case is current once it is written again with other fields."""
    write_case(tmp_path, "guards", "one")
    record = make_record(load_catalog(tmp_path).cases[0])

    def run(**fields):
        write_case(tmp_path, "guards", "one", **fields)
        return is_current(load_catalog(tmp_path).cases[0], record, tmp_path)

    return run


@pytest.mark.parametrize(
    "fields",
    [
        {"severity": "low"},
        {"holds": [{"torch": ">=2.14"}]},
        {"sources": ["a talk"]},
        {"timeout": 5.0},
        {"body": "# Another page\n"},
        {"aliases": ["uno"]},
        {"kind": "retraction", "believed": "It works."},
        {"upstream": [{"issue": "#1", "fixed_in": "2.14"}]},
        {"signatures": ["a.*b"]},
        {"devices": ["cpu"]},
        {"withdrawn": "It was wrong."},
    ],
)
def test_prose_does_not_make_evidence_stale(current, fields):
    """What no execution depends on is not in the digest."""
    assert current(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"claim": "Another."},
        {"needs": ["triton"]},
        {"env": {"symptom": {"TORCH_LOGS": "+all"}}},
        {"env": {"remedy": {"TORCH_LOGS": ""}}},
        {"memory": 512},
        {"fresh": True},
        {"exclusive": True},
        {"proof": "# Another.\n"},
    ],
)
def test_what_an_execution_depends_on_does(current, fields):
    """The claim, the needs, the way of running and the proof are in the digest."""
    assert current()
    assert not current(**fields)


def test_another_value_of_a_variable_makes_stale(tmp_path, write_case, make_record):
    """Also where the arms have interpreters of their own already."""
    write_case(tmp_path, "guards", "one", env={"symptom": {"TORCH_LOGS": "dynamo"}})
    record = make_record(load_catalog(tmp_path).cases[0])
    write_case(tmp_path, "guards", "one", env={"symptom": {"TORCH_LOGS": "guards"}})
    assert not is_current(load_catalog(tmp_path).cases[0], record, tmp_path)


def test_a_module_of_the_repository_counts(tmp_path, write_case, make_record):
    """A probe or model that an arm loaded makes the record stale when it differs or is gone."""
    write_case(tmp_path, "guards", "one")
    case = load_catalog(tmp_path).cases[0]
    place = "validators/errors.py"
    for sha, expected in [(hash_of(ROOT / place), True), ("0" * 64, False)]:
        modules = {place: sha}
        record = make_record("one", modules=modules, digest=digest_of(case, modules))
        assert is_current(case, record, tmp_path) is expected
    gone = {"validators/no_such_file.py": "0" * 64}
    record = make_record("one", modules=gone, digest=digest_of(case, gone))
    assert not is_current(case, record, tmp_path)


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A copy of the catalog, its committed records, and all modules that they name."""
    for place in ("playbooks/catalog", "playbooks/evidence", "reference_models"):
        shutil.copytree(ROOT / place, tmp_path / place)
    shutil.copytree(ROOT / "validators", tmp_path / "validators")
    monkeypatch.setattr(digest, "ROOT", tmp_path)
    return tmp_path


def renewed(case, record, root):
    """The record as a run would write it today, if nothing but code has changed."""
    modules = {place: hash_of(resolve(place, root)) for place in record.modules}
    return msgspec.structs.replace(record, modules=modules, digest=digest_of(case, modules))


def test_an_edited_module_makes_exactly_its_cases_stale(world):
    """Of every proof, probe and model of the real catalog, edited one after the other."""
    root = world / "playbooks" / "catalog"
    cases = load_catalog(root).by_name
    records = [
        renewed(cases[record.case], record, root)
        for record in load_evidence(world / "playbooks" / "evidence").values()
    ]

    def current():
        return {(r.case, r.column) for r in records if is_current(cases[r.case], r, root)}

    before = current()
    assert len(before) == len(records)
    places = {place for record in records for place in record.modules}
    kinds = {place.split("/")[0] for place in places}
    assert kinds == {"catalog", "reference_models", "validators"}
    for place in sorted(places):
        file = resolve(place, root)
        assert file.is_relative_to(world)
        source = file.read_bytes()
        file.write_bytes(source + b"\n# edited\n")
        dependent = {(r.case, r.column) for r in records if place in r.modules}
        assert current() == before - dependent, place
        file.write_bytes(source)
    assert current() == before


def test_a_proof_is_among_the_modules_of_its_record(world):
    """Each record of the real catalog names its own proof, and no other case's."""
    cases = load_catalog(world / "playbooks" / "catalog").by_name
    for record in load_evidence(world / "playbooks" / "evidence").values():
        case = cases[record.case]
        proofs = [place for place in record.modules if place.startswith("catalog/")]
        assert proofs == [f"catalog/{case.area}/{case.name}.py"]


def test_places_lead_back_to_their_files(tmp_path):
    """A record names files so that they are found wherever the checkout or the catalog is."""
    for file in (tmp_path / "guards/one.py", ROOT / "validators/errors.py"):
        assert resolve(place_of(file, tmp_path), tmp_path) == file
    assert place_of(tmp_path / "guards/one.py", tmp_path) == "catalog/guards/one.py"


def test_a_hash_follows_its_file(tmp_path):
    """A file that is edited, or removed, while the program runs is hashed anew."""
    file = tmp_path / "a.py"
    hashes = [hash_of(file)]
    for text in ("a", "bb", "bb"):
        file.write_text(text)
        hashes.append(hash_of(file))
    assert hashes[0] == ""
    assert hashes[1] != hashes[2] == hashes[3]
