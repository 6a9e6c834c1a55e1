"""Whether a record still speaks of its case."""

from __future__ import annotations

import shutil

import msgspec
import pytest

from validators.catalog import load_catalog
from validators.evidence import Freshness, digest_of, load_evidence, overlaid
from validators.evidence.digests import definitions, digest
from validators.evidence.digests.definitions import definitions_read
from validators.evidence.digests.digest import REPORT, judge_of, place_of, resolve
from validators.files import ROOT

CATALOG = ROOT / "playbooks" / "catalog"
PROBE = "validators/probes/text.py"


def is_current(case, record, root) -> bool:
    """Whether a record is of the case as it stands now."""
    return Freshness(root).is_current(case, record)


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
        {"claim": "The same in other words."},
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
        {"needs": ["triton"]},
        {"env": {"symptom": {"TORCH_LOGS": "+all"}}},
        {"env": {"remedy": {"TORCH_LOGS": ""}}},
        {"memory": 512},
        {"fresh": True},
        {"exclusive": True},
        {"proof": "ANOTHER = 1\n"},
    ],
)
def test_what_an_execution_depends_on_does(current, fields):
    """The needs, the way of running and the proof are in the digest."""
    assert current()
    assert not current(**fields)


def test_another_value_of_a_variable_makes_stale(tmp_path, write_case, make_record):
    """Also where the arms have interpreters of their own already."""
    write_case(tmp_path, "guards", "one", env={"symptom": {"TORCH_LOGS": "dynamo"}})
    record = make_record(load_catalog(tmp_path).cases[0])
    write_case(tmp_path, "guards", "one", env={"symptom": {"TORCH_LOGS": "guards"}})
    assert not is_current(load_catalog(tmp_path).cases[0], record, tmp_path)


_OURS = ("reference_models", "validators/probes", "validators/pretended")
"""What digests cover beside the catalog."""


@pytest.fixture
def world(tmp_path, monkeypatch, write_case, make_record):
    """Every eighth case of the catalog with a current record that names all its modules."""
    for place in (*_OURS, "playbooks/catalog"):
        shutil.copytree(ROOT / place, tmp_path / place)
    monkeypatch.setattr(digest, "ROOT", tmp_path)
    root = tmp_path / "playbooks" / "catalog"
    cases = load_catalog(root).by_name
    records = [
        msgspec.structs.replace(
            it,
            digest=digest_of(cases[it.case], it.modules, root),
            judge=judge_of(cases[it.case]),
        )
        for it in list(load_evidence(ROOT / "playbooks" / "evidence").values())[::8]
    ]

    def current():
        freshness = Freshness(root)
        return {(r.case, r.column) for r in records if freshness.is_current(cases[r.case], r)}

    assert len(current()) == len(records)
    return tmp_path, records, current


def test_an_edited_module_makes_exactly_its_cases_stale(world):
    """Of proofs, probes and models of the real catalog, edited one after the other."""
    root, records, current = world
    before = current()
    places = sorted({place for record in records for place in record.modules})
    assert {it.split("/")[0] for it in places} == {"catalog", "reference_models", "validators"}
    for place in [*places[::20], PROBE]:
        file = resolve(place, root / "playbooks" / "catalog")
        source = file.read_bytes()
        dependent = {(r.case, r.column) for r in records if place in r.modules}
        file.write_bytes(source + b"\n# A comment.\n")
        assert current() == before, place
        file.write_bytes(source + b"\nEDITED = 1\n")
        assert current() == before - dependent, place
        file.unlink()
        assert current() == before - dependent, place
        file.write_bytes(source)
    assert current() == before


def test_an_edit_of_the_reports_type_concerns_those_who_read_it(world):
    """A new field makes nothing stale, another `eager_calls` the proofs that name it."""
    root, records, current = world
    before, file = current(), root / REPORT
    source = file.read_text()
    new = source.replace("    eager: bool = False\n", "    eager: bool = False\n    new: int = 0\n")
    assert new != source
    file.write_text(new + "\n\ndef helper() -> None:\n    pass\n")
    assert current() == before
    file.write_text(source.replace("if call.executions == 0)", "if not call.executions)"))
    proofs = root / "playbooks" / "catalog"
    named = {
        (r.case, r.column)
        for r in records
        if ".eager_calls" in next(proofs.glob(f"*/{r.case}.py")).read_text()
    }
    assert named
    assert current() == before - named


def test_a_definition_brings_what_it_uses(tmp_path):
    """Methods, fields with annotation and default, and functions, each by its name."""
    file = tmp_path / "report.py"
    source = (
        "LIMIT = 3\n\ndef _first(x):\n    return x[:LIMIT]\n\n"
        "class Call:\n    count: int = 0\n    other: str = ''\n\n"
        "class Report:\n    calls: tuple[Call, ...] = ()\n    ops: int = 0\n\n"
        "    @property\n    def total(self):\n        '''All.'''\n"
        "        return sum(call.count for call in _first(self.calls))\n"
    )
    file.write_text(source)
    read = definitions_read(file, ["total", "unknown"])
    assert set(read) == {"total", "count", "calls", "_first", "LIMIT"}
    assert set(definitions_read(file, ["ops"])) == {"ops"}
    for before, after in [("count: int = 0", "count: int = 1"), ("LIMIT = 3", "LIMIT = 4")]:
        file.write_text(source.replace(before, after))
        assert definitions_read(file, ["total"]) != read
        assert definitions_read(file, ["ops"]).keys() == {"ops"}
    file.write_text(source.replace("'''All.'''", "'''Each.'''  # of them"))
    assert definitions_read(file, ["total"]) == read
    file.write_text("def (:\n")
    assert definitions_read(file, ["total"]) == {}
    assert definitions._definitions_of(tmp_path / "gone.py") == {}


def test_a_proof_is_among_the_modules_of_its_record():
    """Each record of the real catalog names its own proof, and no other case's."""
    cases = load_catalog(CATALOG).by_name
    for record in load_evidence(ROOT / "playbooks" / "evidence").values():
        case = cases[record.case]
        proofs = [place for place in record.modules if place.startswith("catalog/")]
        assert proofs == [f"catalog/{case.area}/{case.name}.py"]
        assert REPORT not in record.modules


def test_places_lead_back_to_their_files(tmp_path):
    """A record names files so that they are found wherever the checkout or the catalog is."""
    for file in (tmp_path / "guards/one.py", ROOT / "validators/errors.py"):
        assert resolve(place_of(file, tmp_path), tmp_path) == file
    assert place_of(tmp_path / "guards/one.py", tmp_path) == "catalog/guards/one.py"


@pytest.mark.parametrize("place", ["/dev/zero", "catalog/../../x", "a\0b", "x" * 5000, "", "/"])
def test_a_module_of_any_name_makes_a_record_stale(tmp_path, write_case, make_record, place):
    """What cannot be read is not what it was; nothing is waited for."""
    write_case(tmp_path, "guards", "one")
    (case,) = load_catalog(tmp_path).cases
    record = make_record(case)
    modules = (*record.modules, place)
    assert not is_current(case, msgspec.structs.replace(record, modules=modules), tmp_path)


@pytest.mark.parametrize(
    ("one", "other", "wins"),
    [
        ("current", "stale", "committed"),
        ("stale", "current", "local"),
        ("stale", "stale", "local"),
        ("current", "current", "local"),
    ],
)
def test_the_current_record_wins_else_the_local_one(
    tmp_path, write_case, make_record, one, other, wins
):
    """An older run on this machine does not hide what was renewed elsewhere."""
    write_case(tmp_path, "guards", "one")
    cases = load_catalog(tmp_path).by_name
    digests = {"current": {}, "stale": {"digest": "0"}}
    sides = [
        {("one", "torch-2.13.0-cpu"): make_record(cases["one"], reason=name, **digests[state])}
        for name, state in (("committed", one), ("local", other))
    ]
    found = overlaid(*sides, cases, Freshness(tmp_path))
    assert [record.reason for record in found.values()] == [wins]
    assert overlaid(sides[0], {}, cases, Freshness(tmp_path)) == sides[0]
    assert overlaid({}, sides[1], cases, Freshness(tmp_path)) == sides[1]
