"""`silent` as a user runs it."""

from __future__ import annotations

import pytest

from tests.commands import call
from tests.schemas import valid
from tests.validators.silent.test_silent_programs import PROGRAM
from tests.world import World
from validators.cli import main
from validators.silent.programs import load_silent
from validators.silent.record import Computed, write_computed

COLUMN = "torch-2.13.0-cpu"


@pytest.fixture
def world(tmp_path):
    """A repository with one silent error."""
    made = World(tmp_path)
    made.write("playbooks/silent/short_sum.py", PROGRAM)
    made.catalog.mkdir(parents=True)
    return made


def silent(world, *arguments):
    """Run the command."""
    place = ("--catalog", str(world.catalog))
    done = call(main, "silent", *place, *arguments, cwd=world.root)
    assert "Traceback" not in done.stderr
    return done


def record(world, **fields):
    """Record what the program computes."""
    (error,) = load_silent(world.root)[0]
    computed = Computed(**{"digest": error.digest, "verdict": "wrong", **fields})
    write_computed(world.root / "playbooks/evidence", "short_sum", COLUMN, computed)


def test_the_summary_reads_records(world):
    """The output fits the schema; a record of another program is out of date."""
    record(world, says="call 1: output", backend="inductor", instead="equal")
    done = silent(world, "--summary")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        f"short_sum, {COLUMN}: wrong from backend inductor on (call 1: output);"
        " the workaround gives eager mode's result\n"
    )
    (told,) = valid("silent", silent(world, "--summary", "--json").stdout)["errors"]
    assert (told["verdict"], told["differs"]) == ("wrong", "")
    record(world, digest="0000")
    done = silent(world, "--summary")
    assert done.returncode == 1
    assert "DIFFERS: the program has changed since" in done.stdout


def test_without_a_record_the_summary_says_so(world):
    """Exit status 1."""
    done = silent(world, "--summary")
    assert (done.returncode, done.stdout) == (1, "short_sum DIFFERS: has no record\n")


def test_a_program_for_a_gpu_waits_for_one(world):
    """A run on a CPU leaves it out, or says why it cannot be run."""
    world.write("playbooks/silent/short_sum.py", PROGRAM.replace("avoid:", "needs: cuda\navoid:"))
    done = silent(world, "--summary")
    assert (done.returncode, done.stdout) == (0, "short_sum (waits: use --device cuda)\n")
    assert (silent(world).returncode, silent(world).stdout) == (0, "")
    done = silent(world, "short_sum")
    assert done.returncode == 2
    assert "short_sum: --device cpu does not decide it; use --device cuda" in done.stderr


def test_a_gpu_that_is_not_there_decides_what_inductor_writes(world):
    """A program that only a GPU decides is none of that, nor is one that Dynamo traces wrongly."""
    world.write("playbooks/silent/short_sum.py", PROGRAM.replace("avoid:", "needs: cuda\navoid:"))
    done = silent(world, "short_sum", "--device", "sm_90")
    assert done.returncode == 2
    assert "short_sum: --device sm_90 does not decide it; use --device cuda" in done.stderr
    world.write("playbooks/silent/short_sum.py", PROGRAM)
    record(world, backend="eager")
    done = silent(world, "short_sum", "--device", "sm_90")
    assert "short_sum: --device sm_90 does not decide it; use --device cpu" in done.stderr


def test_a_wrong_name_is_one_sentence(world):
    """Exit status 2."""
    done = silent(world, "long_sum", "--summary")
    assert done.returncode == 2
    assert "long_sum: is no silent error; `silent --summary` lists them" in done.stderr


@pytest.mark.slow
def test_a_program_is_run_and_recorded(world, warm):
    """On this torch; the next run is compared with the record."""
    done = silent(world)
    assert done.returncode == 1 and "DIFFERS: there is no current record" in done.stdout
    done = silent(world, "--record")
    assert done.returncode == 0, done.stderr
    assert ": right; the workaround gives eager mode's result" in done.stdout
    assert silent(world).returncode == 0


def test_a_run_that_failed_is_no_record(world):
    """It decides nothing: exit status 1, and the next run still has no record."""
    unknown = PROGRAM.replace("import torch\n", "import torch\nimport no\n")
    world.write("playbooks/silent/short_sum.py", unknown)
    done = silent(world, "--record")
    assert done.returncode == 1 and ": failed (ModuleNotFoundError" in done.stdout
    assert "DIFFERS: there is no current record" in done.stdout
    assert not (world.root / "playbooks/evidence/silent").exists()
