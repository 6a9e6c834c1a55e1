"""Which numbers a case's page shows of its arms, and what the probes saw besides."""

from __future__ import annotations

import pytest
from docsite.pages.measures import measures
from docsite.pages.observations import observations

from tests.world import BREAK, PROOF, World, front, report
from validators.errors import CasebookError
from validators.probes.report import Call, Cudagraphs, Difference, Recompile

from ..conftest import html_of

ARMS = "symptom", "remedy"
RECOMPILE = Recompile("0/1", "f", ("x.size(0) == 1",))


def case(world: World, shows: str, symptom: dict, remedy: dict, **more: object) -> None:
    """A case whose predicate is `shows`, with a record of these reports."""
    world.case("one", front())
    proof = PROOF.partition("def shows")[0] + f"def shows(report):\n    return {shows}\n"
    world.write("playbooks/catalog/graph_breaks/one.py", proof)
    record = {"symptom": symptom, "remedy": remedy} | more
    world.record("one", **record)  # type: ignore[arg-type]


def told(world: World) -> dict[str, str]:
    """What is said of each measure of the case, by its title."""
    content = world.load()
    found = measures(content.standings["one"], content.proofs["one"])
    return {it.title: it.sentence(ARMS).removeprefix(f"{it.title}. ") for it in found}


def calls(*compiled: int) -> tuple[Call, ...]:
    """Calls that compiled so many graphs each."""
    return tuple(Call(count, 1) for count in compiled)


@pytest.mark.parametrize(
    ("shows", "title", "said"),
    [
        ("report.graph_breaks", "Graph breaks", "symptom 2; remedy 0."),
        ("'GB0170' in report.break_ids", "Graph breaks", "symptom 2; remedy 0."),
        ("report.recompiles", "Recompiles", "symptom 1; remedy 0."),
        ("report.ops > 60", "Ops", "symptom 1,943; remedy 60."),
        ("report.cudagraphs.skips", "CUDA graph skips", "symptom 1; remedy 0."),
        ("report.calls[-1].compiled", "Graphs compiled in each call", "symptom 1, 1; remedy 1, 0."),
        ("report.calls[0].difference.eager", "Difference from eager", "symptom 0.031; remedy 0."),
        ("report.memory['peak'] > 9", "Memory: peak", "symptom 3 MiB; remedy 1.5 MiB."),
        ("report.facts['guards'] > 9", "Fact: guards", "symptom 211; remedy 23."),
        ("report.facts['kernels']", "Fact: kernels, how many", "symptom 2; remedy 0."),
    ],
)
def test_what_the_predicate_reads_is_told(world: World, shows: str, title: str, said: str) -> None:
    """One measure, the one that decides, though all differ."""
    symptom = report(
        graph_breaks=(BREAK, BREAK),
        recompiles=(RECOMPILE,),
        ops=1943,
        cudagraphs=Cudagraphs(("skipping",), 0, 0, 0),
        calls=(Call(1, 1, Difference(eager=0.031)), Call(1, 1)),
        memory={"peak": 3 * 2**20, "reserved": 2**20},
        facts={"guards": 211, "other": 1, "kernels": ["a", "b"]},
    )
    remedy = report(
        ops=60,
        cudagraphs=Cudagraphs((), 1, 3, 0),
        calls=(Call(1, 1, Difference(eager=0.0)), Call(0, 1)),
        memory={"peak": 3 * 2**19, "reserved": 2**21},
        facts={"guards": 23, "other": 2, "kernels": []},
    )
    case(world, shows, symptom, remedy)
    assert told(world) == {title: said}


@pytest.mark.parametrize(
    ("shows", "symptom", "remedy"),
    [
        ("report.exception", report(ops=9), report(ops=3)),
        ("report.facts['cubin']", report(facts={"cubin": False}), report(facts={"cubin": True})),
        ("report.ops", report(), report()),
        ("report.times['t']", report(times={"t": [1.0]}), report()),
        ("report.facts['n']", report(facts={"n": 1 - 1e-16}), report(facts={"n": 1.0})),
        ("report.facts['n']", report(facts={"n": -1}), report(facts={"n": 10**400})),
        ("report.facts['n']", report(facts={"n": "nan"}), report(facts={"n": 1e300})),
        ("call.difference", report(calls=(Call(1, 1, Difference(eager=1e308)),)), report()),
    ],
)
def test_nothing_to_tell_is_no_measure(
    world: World, shows: str, symptom: dict, remedy: dict
) -> None:
    """Facts, numbers that look equal, a missing side, numbers beyond any page."""
    case(world, shows, symptom, remedy)
    assert told(world) == {}


def test_functions_of_the_proof_are_read_through(world: World) -> None:
    """`shows` may ask a function, a case without evidence has nothing to tell."""
    case(world, "count(report)", report(ops=5), report(ops=3))
    proof = world.catalog / "graph_breaks" / "one.py"
    assert told(world) == {}
    proof.write_text(proof.read_text() + "\n\ndef count(report):\n    return report.ops > 3\n")
    assert told(world) == {"Ops": "symptom 5; remedy 3."}
    world.case("two", front())
    content = world.load()
    assert measures(content.standings["two"], content.proofs["two"]) == []


def test_releases_that_differ_stand_apart(world: World) -> None:
    """Columns with equal numbers share a group; a stale record only stands in where none is new."""
    case(world, "report.ops", report(ops=5), report(ops=3))
    world.record("one", "2.15.0", symptom=report(ops=3), remedy=report(ops=3), verdict="refuted")
    world.record("one", "2.11.0", symptom=report(ops=5), remedy=report(ops=3))
    world.record("one", "2.9.0", symptom=report(ops=7), remedy=report(ops=3), digest="0")
    assert told(world)["Ops"] == (
        "On torch 2.11.0, 2.13.0 (CPU): symptom 5; remedy 3. "
        "On torch 2.15.0 (CPU): symptom 3; remedy 3."
    )


def test_times_are_raw_samples_with_their_median(world: World) -> None:
    """The number is in a unit that leaves it readable."""
    slow, fast = [8e-6, 9e-6, 7e-6], [1.5e-3, 2.0, 1.5e-3]
    times = report(times={"guards": slow}), report(times={"guards": fast})
    case(world, "min(report.times['guards'])", *times)
    assert told(world)["Time: guards"] == (
        "symptom median 8 µs of 3 samples from 7 µs to 9 µs; "
        "remedy median 1.5 ms of 3 samples from 1.5 ms to 2 s."
    )


def test_bars_are_as_long_as_their_numbers(world: World) -> None:
    """Over all columns, the longest is whole; of nothing there is none."""
    case(world, "report.ops", report(ops=8), report(ops=2))
    world.record("one", "2.15.0", symptom=report(ops=0), remedy=report(ops=4))
    content = world.load()
    (found,) = measures(content.standings["one"], content.proofs["one"])
    lengths = [found.percent(it) for _, pair in found.groups for it in pair]
    assert lengths == [100, 25, 0, 50]


def test_what_later_columns_saw_is_shown_where_it_differs(world: World) -> None:
    """The newest is whole; times and memory are no difference, and are said to be one column's."""
    times = {"call": [0.5, 0.25]}
    world.case("one", front())
    world.record("one", "2.11.0", symptom=report(ops=7), remedy=report())
    world.record("one", "2.13.0", symptom=report(times={"call": [9.0]}), remedy=report())
    world.record("one", "2.15.0", symptom=report(times=times), remedy=report())
    newest, older = observations(world.load().standings["one"])
    assert [column.torch for column in newest.columns] == ["2.15.0", "2.13.0"]
    assert newest.like is None and {"Graphs", "Ops"} <= {row.name for row in newest.rows}
    assert [(row.name, row.symptom) for row in newest.noise] == [
        ("Times", ["call: 250 ms at best of 2"])
    ]
    assert older.like == newest.columns[0]
    assert [(row.name, row.symptom[0]) for row in older.rows] == [("Ops", "7")]
    html = html_of(world.load(), "catalog/one/index.html")
    assert "<caption>Everything else is as on torch 2.15.0 (CPU).</caption>" in html
    assert "Times on 2.15.0 (CPU)" in html


def test_arms_that_only_read_facts_counted_nothing(world: World) -> None:
    """Graph breaks of 0 would say that something was traced; of calls 0 says just that."""
    world.case("one", front())
    facts, calls = report(calls=(), graphs=(), ops=0, facts={"n": 7}), report(graphs=(), ops=0)
    world.record("one", symptom=facts, remedy=facts)
    (seen,) = observations(world.load().standings["one"])
    assert [row.name for row in seen.rows] == ["Symptom shows", "n"]
    world.record("one", symptom=facts, remedy=calls)
    (seen,) = observations(world.load().standings["one"])
    assert {"Graphs", "Ops", "Graph breaks", "Recompiles"} <= {row.name for row in seen.rows}


def test_of_many_lines_the_first_are_shown(world: World) -> None:
    """The number of all stands above them; one more than there is room for is no sentence."""
    world.case("one", front())
    many, few = (BREAK,) * 30, (BREAK,) * 9
    world.record("one", symptom=report(graph_breaks=many), remedy=report(graph_breaks=few))
    (seen,) = observations(world.load().standings["one"])
    row = next(row for row in seen.rows if row.name == "Graph breaks")
    assert (row.symptom[0], len(row.symptom), row.symptom[-1]) == ("30", 10, "and 22 more")
    assert (row.remedy[0], len(row.remedy), row.remedy[-1]) == ("9", 10, row.remedy[1])


def test_hostile_names_are_only_text(world: World) -> None:
    """A fact may be called anything, and so may a title."""
    name = "<img src=x onerror=alert(1)>\"'&"
    case(world, "report.facts", report(facts={name: 2}), report(facts={name: 1}))
    assert told(world) == {f"Fact: {name}": "symptom 2; remedy 1."}


@pytest.mark.parametrize(
    "broken",
    [
        {"calls": [{}, {}]},
        {"calls": 5},
        {"cudagraphs": [1]},
        {"graphs": [{"symbols": 1}]},
        {"times": {"t": 3}},
    ],
)
def test_a_report_that_no_probe_wrote_is_one_sentence(world: World, broken: dict) -> None:
    """The record is named, and how to be rid of it."""
    shows = "report.calls[0].compiled, report.memory, report.cudagraphs.skips, graph.symbols"
    healthy = report(times={"t": [1.0]})
    case(world, f"{shows}, report.times", {**healthy, **broken}, healthy)
    content = world.load()
    with pytest.raises(CasebookError, match=r"one in .* its symptom is not a probe's report"):
        measures(content.standings["one"], content.proofs["one"])
