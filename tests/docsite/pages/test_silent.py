"""Silent errors on the site: a table, and a page for each root cause."""

from __future__ import annotations

from tests.validators.silent.test_silent_programs import PROGRAM
from tests.world import World, populate
from validators.silent.programs import load_silent
from validators.silent.record import Computed, write_computed

from ..conftest import html_of, pages_of


def test_an_error_stands_with_its_releases(world: World) -> None:
    """Where it is wrong, of those that were tried, and the workaround that a program ran."""
    populate(world)
    world.write("playbooks/silent/short_sum.py", PROGRAM)
    (error,) = load_silent(world.root)[0]
    for release, verdict in (("2.9.1", "right"), ("2.13.0", "wrong"), ("2.15.0", "wrong")):
        computed = Computed(
            digest=error.digest,
            verdict=verdict,
            backend="inductor" if verdict == "wrong" else "",
            instead="equal",
        )
        folder = world.root / "playbooks/evidence"
        write_computed(folder, "short_sum", f"torch-{release}-cpu", computed)
    content = world.load()
    table = html_of(content, "silent/index.html")
    assert "1 programs show" not in table and "1 program shows such an error" in table
    assert "A sum forgets an element." in table and "2.13.0 to 2.15.0" in table
    page = html_of(content, "silent/code-generation/index.html")
    assert "Wrong on torch 2.13.0 to 2.15.0, of 2.9.1 to 2.15.0." in page
    assert "Add twice." in page and 'id="short_sum"' in page
    assert 'href="https://github.com/pytorch/pytorch/issues/1"' in page


def test_what_no_gpu_has_run_is_undecided(world: World) -> None:
    """Neither page calls it wrong, and no count holds it."""
    populate(world)
    world.write("playbooks/silent/short_sum.py", PROGRAM.replace("avoid:", "needs: cuda\navoid:"))
    content = world.load()
    table = html_of(content, "silent/index.html")
    assert "0 programs show such an error" in table and "undecided: no GPU has run it" in table
    page = html_of(content, "silent/code-generation/index.html")
    assert "Undecided: no GPU has run it. A CPU does not show it." in page
    assert "Wrong on torch" not in page


def test_code_for_a_gpu_that_is_not_there_decides_apart(world: World) -> None:
    """What an interpreter ran stands beside what a device ran, and is not counted with it."""
    populate(world)
    world.write("playbooks/silent/short_sum.py", PROGRAM.replace("avoid:", "needs: triton\navoid:"))
    (error,) = load_silent(world.root)[0]
    folder = world.root / "playbooks/evidence"
    for release, verdict in (("2.13.0", "wrong"), ("2.15.0", "right")):
        computed = Computed(digest=error.digest, verdict=verdict, instead="equal")
        write_computed(folder, "short_sum", f"torch-{release}-sm90-compiled", computed)
    content = world.load()
    table = html_of(content, "silent/index.html")
    said = "wrong on torch 2.13.0, right on torch 2.15.0"
    assert "0 programs show such an error" in table and f"code for an H100: {said}" in table
    assert "1 programs were also compiled" not in table and "1 program was also compiled" in table
    page = html_of(content, "silent/code-generation/index.html")
    assert f"The code that Inductor writes for an H100 is {said}, run by Triton" in page
    write_computed(folder, "short_sum", "torch-2.15.0-cpu", computed)
    page = html_of(world.load(), "silent/code-generation/index.html")
    assert "Not wrong on torch 2.15.0." in page and said in page


def test_without_silent_errors_there_is_no_page(world: World) -> None:
    """No empty table."""
    populate(world)
    assert "silent/index.html" not in pages_of(world.load())
