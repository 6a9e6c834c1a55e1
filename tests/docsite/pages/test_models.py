"""Real models on the site: what breaks, what explains it, and whether the repair is a fix."""

from __future__ import annotations

import msgspec

from tests.world import World, front
from validators.corpus.records.record import ModelRecord, record_file
from validators.diagnose.findings.finding import Health, Verification

from ..conftest import html_of, pages_of

PROGRAM = '''"""Tiny, a model of nobody's package."""


def example():
    """Two calls."""


def fixed():
    """The repaired form."""
'''
BREAK = {
    "id": "GB0170",
    "type": "Data-dependent branching",
    "count": 4,
    "text": "Explanation: Detected data-dependent branching",
    "places": [{"file": "site-packages/tiny.py", "line": 3, "code": "if x.sum() < 0:"}],
}


def record(refused: list[str]) -> bytes:
    """The record of the model, whose repair is a fix if nothing refuses it."""
    measured = {
        "rounds": 2,
        "graphs": 3,
        "breaks": [BREAK],
        "recompiles": [],
        "limits": [],
        "eager_calls": [],
        "raised": None,
        "compiled_share": 0.5,
    }
    before, after = Health(3, 4, 0, 0, 0.5, ""), Health(1, 0, 0, 0, 1.0, "")
    fix = Verification(
        before=before,
        after=after,
        calls=2,
        made_up=5,
        better=["breaks: 0, were 4"],
        refused=refused,
    )
    made = ModelRecord(
        model="tiny",
        column="torch-2.13.0-cpu",
        torch="2.13.0+cpu",
        python="3.11.7",
        packages={"tiny": "1.0"},
        digest="0" * 16,
        calls=2,
        trains=False,
        breaks=measured,
        fix=fix,
    )
    return msgspec.json.encode(made)


def rendered(world: World, refused: list[str]) -> dict[str, str]:
    """The pages of models by site path."""
    world.case("tensor_branch", front(signatures='["Detected data-dependent branching"]'))
    world.record("tensor_branch")
    world.write("reference_models/real/tiny.py", PROGRAM)
    file = record_file(world.root / "playbooks" / "evidence", "tiny", "torch-2.13.0-cpu")
    file.parent.mkdir(parents=True)
    file.write_bytes(record(refused))
    content = world.load()
    return {
        path: html_of(content, path) for path in ("models/index.html", "models/tiny/index.html")
    }


def test_a_page_says_what_breaks_and_what_explains_it(world: World) -> None:
    """With the case, its fix, the repair and the program."""
    pages = rendered(world, [])
    assert "Cases explain 1 of 1 findings" in pages["models/index.html"]
    assert "repairs of 1 model are verified" in pages["models/index.html"]
    page = pages["models/tiny/index.html"]
    for said in (
        "tiny.py:3",
        "catalog/tensor_branch/index.html",
        "tiny 1.0",
        "verify-fix",
    ):
        assert said in page
    assert "The repair is <strong>verified</strong>" in page
    assert "open" not in page


def session_of(world: World) -> str:
    """The commands on the model's page."""
    pages = {it.path: it for it in pages_of(world.load())}
    return str(pages["models/tiny/index.html"].model["session"])


def test_the_commands_install_what_the_record_had(world: World) -> None:
    """With pip, or with the script that installs what pip refuses, over the record's torch."""
    rendered(world, [])
    assert session_of(world).startswith("$ pip install . torch==2.13.0 tiny==1.0\n$ python -m ")
    extra = '[project.optional-dependencies]\nmodels-alone = ["tiny==1.0"]\n'
    world.write("pyproject.toml", extra)
    session = session_of(world)
    assert session.startswith("$ pip install .\n$ P=$(sh tools/models.sh 2.13.0)\n")
    assert session.count("--python $P") == 2


def test_the_script_also_installs_what_a_package_brings(world: World) -> None:
    """Pip would take a torchaudio for speechbrain that refuses this torch's CUDA."""
    rendered(world, [])
    file = record_file(world.root / "playbooks" / "evidence", "tiny", "torch-2.13.0-cpu")
    file.write_bytes(file.read_bytes().replace(b'"tiny":"1.0"', b'"speechbrain":"1.0"'))
    assert session_of(world).startswith("$ pip install . torch==2.13.0 speechbrain==1.0\n")
    extra = '[project.optional-dependencies]\nmodels-alone = ["torchaudio==1.0"]\n'
    world.write("pyproject.toml", extra)
    assert session_of(world).startswith("$ pip install .\n$ P=$(sh tools/models.sh 2.13.0)\n")


def test_the_commands_leave_out_what_no_record_holds(world: World) -> None:
    """A record holds no times of warm calls, and `verify-fix` would print them."""
    rendered(world, [])
    verify = "reference_models/real/tiny.py:fixed --backend aot_eager --quick\n"
    assert verify in session_of(world)


def test_a_refused_repair_is_said_with_its_reason(world: World) -> None:
    """Nothing is verified then."""
    pages = rendered(world, ["it compiles nothing"])
    assert "repairs of 0 models are verified" in pages["models/index.html"]
    assert "it compiles nothing" in pages["models/tiny/index.html"]


def test_a_casebook_without_models_has_no_page_for_them(world: World) -> None:
    """Nor an empty index."""
    world.case("tensor_branch", front())
    assert not [it for it in pages_of(world.load()) if it.path.startswith("models/")]
