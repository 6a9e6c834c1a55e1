"""Recorded traces and logs as targets: what is read from them, without torch.

`recordings` holds what three releases wrote about one program, cut to the records that are read:
a model with an `if` on a tensor called with two sizes, a function that breaks in a loop, one that
gets ten strings, one under `fullgraph=True`, and a backend that fails.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from validators.cli.model.diagnose import diagnose_command
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.from_recording import Setting, diagnosed_recording
from validators.diagnose.parts import of_breaks
from validators.diagnose.recording.events import breaks_of
from validators.diagnose.recording.log_messages import is_added
from validators.diagnose.recording.recorded import Recording, occurrences, read_recording
from validators.diagnose.recording.trace_files import MODULE, Event, read_trace
from validators.errors import CasebookError

RECORDINGS = Path(__file__).parent / "recordings"
PROJECT = Path("/home/ada/project")
PREFIX = "V1123 16:26:20.371000 288 torch/_dynamo/symbolic_convert.py:5098] [0/0] [__graph_breaks] "
BREAK = """Graph break in user code at /home/ada/project/model.py:7
Graph Break Reason: Data-dependent branching
  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).

 For more details about this graph break, please visit: https://x.io/gb/gb0170.html

User code traceback:
  File "/opt/env/lib/python3.11/site-packages/torch/nn/modules/module.py", line 9, in _call_impl
    return forward_call(*args, **kwargs)
  File "/home/ada/project/model.py", line 7, in forward
    if x.sum() > 0:
"""


@pytest.fixture
def diagnosis(explainer):
    """Makes the diagnosis of a recording on a release that the evidence knows."""

    def made(path: Path) -> Diagnosis:
        setting = Setting("2.13.0", "", explainer.column)
        return diagnosed_recording(path.name, read_recording(path), setting, explainer, PROJECT)

    return made


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `diagnose` in a folder; what it raises is what a user reads."""
    monkeypatch.chdir(tmp_path)

    def invoked(*words: str):
        return CliRunner().invoke(diagnose_command, list(words), standalone_mode=False)

    return invoked


def places(found: list[dict]) -> list[tuple[int, int]]:
    """Line and count of breaks."""
    return [(it["places"][0]["line"], it["count"]) for it in found]


@pytest.mark.parametrize("release", ["2.9.1", "2.13.0"])
def test_a_trace_tells_all_that_happened(release):
    """The same places and counts on each release that writes them."""
    found = occurrences(read_recording(RECORDINGS / f"torch-{release}"))
    broken = places(found["breaks"] + found["skipped"])
    assert sorted(broken) == [(7, 3), (14, 1)]
    again = {(it["function"], it["count"]) for it in found["recompiles"]}
    resumed = "torch_dynamo_resume_in_forward_at_7"
    assert again == {("forward", 1), (resumed, 1), ("by_name", 7)}
    assert [(it["function"], it["line"]) for it in found["limits"]] == [("by_name", 19)]
    failed = {it["function"]: (it["line"], it["count"]) for it in found["failures"]}
    assert failed == {"whole": (26, 2), "forward": (6, 1)}
    assert found["graphs"] == 13
    assert found["compilations"][0]["function"] == "forward"


def test_a_skipped_frame_is_told_apart():
    """From 2.11 on, the trace says after which break Dynamo skips the function."""
    found = occurrences(read_recording(RECORDINGS / "torch-2.13.0"))
    assert places(found["skipped"]) == [(14, 1)]
    logged = occurrences(read_recording(RECORDINGS / "torch-2.13.0.log"))
    assert places(logged["skipped"]) == [(14, 1)]


def test_a_release_that_traces_no_breaks_still_tells_their_places():
    """Before 2.6 only the functions that go on after a break do; the log tells the others."""
    found = occurrences(read_recording(RECORDINGS / "torch-2.5.1"))
    assert places(found["breaks"]) == [(7, 1)]
    assert found["breaks"][0]["type"] == "a reason that releases before 2.6 do not record"
    logged = occurrences(read_recording(RECORDINGS / "torch-2.5.1.log"))
    assert places(logged["breaks"]) == [(14, 1)]
    assert "skip function graph_break" in logged["breaks"][0]["type"]


@pytest.mark.parametrize("release", ["2.5.1", "2.13.0"])
def test_a_log_tells_the_same_recompiles_and_limits(release):
    """The refused attempt is no recompilation."""
    traced = occurrences(read_recording(RECORDINGS / f"torch-{release}"))
    logged = occurrences(read_recording(RECORDINGS / f"torch-{release}.log"))
    for name in ("recompiles", "limits"):
        told = [
            [(it["function"], it["file"], it["line"], it["count"]) for it in one[name]]
            for one in (traced, logged)
        ]
        assert told[0] == told[1]


def test_a_log_beside_a_trace_counts_nothing_twice(tmp_path):
    """Its process is the same; what the trace lacks is added."""
    for release in ("2.13.0", "2.5.1"):
        folder = tmp_path / release
        shutil.copytree(RECORDINGS / f"torch-{release}", folder)
        alone = occurrences(read_recording(folder))
        shutil.copy(RECORDINGS / f"torch-{release}.log", folder / "stderr.log")
        both = occurrences(read_recording(folder))
        assert both["processes"] == 1
        assert both["recompiles"] == alone["recompiles"]
        kept = places(both["breaks"] + both["skipped"])
        assert sorted(kept) == ([(7, 3), (14, 1)] if release == "2.13.0" else [(7, 1), (14, 1)])


def test_ranks_are_one_run(tmp_path):
    """Each rank writes a file; its counts are not added to the other's."""
    text = next((RECORDINGS / "torch-2.13.0").glob("*.log")).read_text()
    (tmp_path / "dedicated_log_torch_trace_rank_0_a.log").write_text(text)
    (tmp_path / "dedicated_log_torch_trace_rank_1_b.log").write_text(text.replace(" 28862 ", " 7 "))
    found = occurrences(read_recording(tmp_path))
    assert found["processes"] == 2
    assert places(found["breaks"]) == [(7, 3)]
    assert len(found["compilations"]) == 34


def test_a_trace_that_was_cut_off_is_read_until_there(tmp_path):
    """A killed process leaves half a record."""
    text = next((RECORDINGS / "torch-2.13.0").glob("*.log")).read_text()
    (tmp_path / "cut.log").write_text(text[: text.index('"compile_id": "0/1"')])
    found = occurrences(read_recording(tmp_path))
    assert len(found["compilations"]) == 2
    assert places(found["breaks"]) == [(7, 2)]


def test_findings_of_a_trace(diagnosis):
    """What costs most first, each with its case; no folder of the user leaves."""
    made = diagnosis(RECORDINGS / "torch-2.13.0")
    told = [(it.kind, it.place and it.place.line, it.explanation.case) for it in made.findings]
    assert ("graph_break", 7, "tensor_dependent_if_in_rotary") in told
    assert ("recompile_limit", 19, "string_argument_by_value") in told
    kinds = [kind for kind, _, _ in told]
    assert kinds[:3] == ["crash", "crash", "eager_call"]
    assert "/home/" not in json.dumps([str(it) for it in made.findings])


@pytest.mark.parametrize("ci", ["", "2026-01-01T10:00:00.1234567Z ", "[rank0]:", "worker-1 | "])
def test_prefixes_of_ci_systems(tmp_path, ci):
    """Whatever a system writes in front of each line."""
    log = tmp_path / "ci.log"
    log.write_text("".join(f"{ci}{PREFIX}{line}\n" for line in BREAK.splitlines()))
    found = occurrences(read_recording(log))
    assert places(found["breaks"]) == [(7, 1)]
    assert found["breaks"][0]["id"] == "GB0170"


def test_what_was_pasted_without_prefixes(tmp_path):
    """A message ends where it stops being one."""
    log = tmp_path / "pasted.txt"
    again = "Recompiling function f in /home/ada/project/model.py:3\n    triggered by the following"
    guard = "    - 0/0: tensor 'x' size mismatch at index 0. expected 2, actual 3"
    short = BREAK.partition("\nUser code")[0].replace("py:7", "py:9")
    guards = f"{again} guard failure(s):\n{guard}"
    log.write_text(f"{BREAK}epoch 1\n{short}\n{short}\n{guards}\nepoch 2\n")
    recording = read_recording(log)
    found = occurrences(recording)
    assert places(found["breaks"]) == [(7, 1), (9, 2)]
    assert [(it["function"], it["count"]) for it in found["recompiles"]] == [("f", 1)]
    assert [text for _, text in recording.rest] == ["epoch 1", "epoch 2"]


def test_an_exception_in_a_log(tmp_path, diagnosis):
    """The last of a chain, at the user's line."""
    log = tmp_path / "crash.log"
    log.write_text(
        "Traceback (most recent call last):\ntorch._dynamo.exc.InternalTorchDynamoError: first\n"
        "\nThe above exception was the direct cause of the following exception:\n\n"
        "Traceback (most recent call last):\n"
        "torch._dynamo.exc.Unsupported: Unsupported thing\n\nfrom user code:\n"
        '   File "/home/ada/project/model.py", line 12, in forward\n    return gone(x)\n'
    )
    found = diagnosis(log).findings
    assert [(it.kind, it.what, str(it.place)) for it in found] == [
        ("crash", "Unsupported is raised", "model.py:12")
    ]


def test_another_line_that_a_case_explains(tmp_path, diagnosis):
    """It needs no message of Dynamo."""
    log = tmp_path / "run.log"
    log.write_text("epoch 1\nskipping cudagraphs due to mutated inputs (1 instances)\n")
    first, *others = diagnosis(log).findings
    assert (first.kind, first.explanation.case) == ("message", "mutated_input_skips_cudagraphs")
    assert first.cost == "line 2 of the log"
    assert not others


def test_without_a_release_nothing_is_explained(run):
    """The answer says what each column decided, and how to name the release."""
    log = str(RECORDINGS / "torch-2.13.0.log")
    made = json.loads(run(log, "--json").output)
    assert made["torch"] == ""
    assert {it["explanation"]["known"] for it in made["findings"]} == {"suspected"}
    said = [it["explanation"]["there"] for it in made["findings"]]
    assert any(re.search("confirmed on [^;]*torch-2.9.1-cpu", it) for it in said)
    named = json.loads(run(log, "--json", "--torch", "2.13").output)
    assert named["column"] == "torch-2.13.0-cpu"
    assert "explained" in {it["explanation"]["known"] for it in named["findings"]}


def test_the_release_of_an_installed_torch(tmp_path):
    """A trace before 2.11 names only the folder; what was installed there later does not count."""
    torch = tmp_path / "site-packages" / "torch"
    torch.mkdir(parents=True)
    (torch / "version.py").write_text("__version__ = '2.9.1+cpu'\n")
    text = next((RECORDINGS / "torch-2.9.1").glob("*.log")).read_text()
    trace = tmp_path / "trace.log"
    trace.write_text(re.sub(r"/opt/env/\S+/torch/_dynamo/", f"{torch}/_dynamo/", text))
    assert read_recording(trace).torch == "2.9.1+cpu"
    os.utime(trace, (0, 0))
    assert read_recording(trace).torch == ""


def test_reports_of_a_recording(run, tmp_path):
    """The same files as for a model."""
    done = run(str(RECORDINGS / "torch-2.13.0"), "--out", "out")
    assert done.return_value == 1
    assert "compiling: 1.4 s in 17 compilations" in done.output
    assert f"Trace: {RECORDINGS / 'torch-2.13.0'};" in done.output
    for name in ("report.md", "report.json", "report.sarif"):
        assert "/home/" not in (tmp_path / "out" / name).read_text()


def test_json_stands_alone_and_the_trace_is_told_beside_it(run):
    """The same lies beside the reports as without `--json`."""
    done = run(str(RECORDINGS / "torch-2.13.0"), "--out", "out", "--json")
    assert json.loads(done.stdout)["parts"]
    assert f"Trace: {RECORDINGS / 'torch-2.13.0'};" in done.stderr
    assert "tlparse" in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("binary", b"\x7fELF\0\0", "is a binary file, not a trace or a log"),
        (
            "nothing.log",
            b"epoch 1\nloss 0.3\n",
            "holds no trace, and no line that torch.compile printed",
        ),
        ("empty.log", b"", "holds no trace, and no line that torch.compile printed"),
        ("folder/readme.md", b"hello", "folder: holds no trace, and no line"),
        ("gone", None, "names no factory, and there is no such program, trace or log"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(run, tmp_path, name, content, said):
    """Each with its remedy."""
    file = tmp_path / name
    if content is not None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    done = run(name.partition("/")[0])
    assert isinstance(done.exception, CasebookError)
    assert said in str(done.exception)
    assert "\n" not in str(done.exception)


def test_options_of_models_are_refused(run):
    """A recording cannot be compiled in another mode."""
    done = run(str(RECORDINGS / "torch-2.13.0"), "--mode", "default")
    assert str(done.exception) == "--mode: needs a factory as target; leave it out here"


def test_a_release_that_is_none(run):
    """One sentence."""
    done = run(str(RECORDINGS / "torch-2.13.0.log"), "--torch", "latest")
    assert "--torch latest: is not a release" in str(done.exception)


def test_a_graph_that_ends_at_a_break_before_2_6(tmp_path):
    """Its message names the reason where no other message does, and else counts nothing."""
    at = "/home/ada/project/model.py, line 7 in forward"
    reason = f"reason='generic_jump TensorVariable()', user_stack=[<FrameSummary file {at}>]"
    source = "torch/_dynamo/output_graph.py:991] [0/0] [__output_graph]"
    line = f"V1123 16:26:20.371000 288 {source} COMPILING GRAPH due to GraphCompileReason({reason}"
    log = tmp_path / "a.log"
    log.write_text(f"{line}, graph_break=True)\n")
    found = occurrences(read_recording(log))["breaks"]
    assert (places(found), found[0]["type"]) == ([(7, 1)], "generic_jump TensorVariable()")
    told = "".join(f"{PREFIX}{it}\n" for it in BREAK.splitlines())
    log.write_text(f"{told}{line}, graph_break=True)\n")
    assert [it["id"] for it in occurrences(read_recording(log))["breaks"]] == ["GB0170"]


def test_what_is_told_twice_counts_once():
    """A backend's refusal comes first without Dynamo's words; a limit is no break of its own."""
    limit = (
        "Graph break in user code at /a.py:1\nGraph Break Reason: Dynamo recompile limit exceeded"
    )
    payloads = ["Backend compiler `x` failed", BREAK, limit]
    events = [Event("dynamo_graph_break_reason", "1", "0/0", {}, it) for it in payloads]
    assert [places(it) for it in breaks_of(events)] == [[(7, 1)], []]


def calls_a_module(event: str, variant: int, **data) -> Event:
    """An event of a module of torch's that the user's script calls."""
    stack = [
        {"filename": "/home/ada/project/train.py", "line": 5, "name": "<module>"},
        {"filename": "/opt/env/site-packages/torch/_dynamo/external_utils.py", "line": 67},
    ]
    return Event(event, "1", f"0/{variant}", {"stack": stack, **data})


@pytest.mark.parametrize(
    ("name", "said"),
    [("torch.nn.modules.linear.Linear", "Linear (called here)"), ("", "what is called here")],
)
def test_a_module_of_torchs_is_told_by_its_class(explainer, name, said):
    """The line that calls it has no name for it, and torch's function none for its argument."""
    reason = "0/0: tensor 'args[0]' size mismatch at index 0. expected 2, actual 3"
    events = [
        calls_a_module("dynamo_start", 0),
        calls_a_module("dynamo_start", 1),
        calls_a_module(MODULE, 1, **{"class": name}),
        Event("recompile_reasons", "1", "0/1", {}, reason),
    ]
    found = occurrences(Recording(events))
    (told,) = of_breaks(found, explainer)
    assert told.what == f"{said} compiles again for another size"
    assert str(told.place) == "/home/ada/project/train.py:5"
    assert "mark_dynamic(argument, 0)` for the first argument before" in told.explanation.fix


def test_the_class_of_a_module_is_read_from_its_guards(tmp_path):
    """The rest of the guards is not kept."""
    guard = "TYPE_MATCH: ___check_type_id(L['fn'], 93), type=<class 'torch.nn.modules.linear.L'>"
    head = "V1124 19:52:52.751000 138 torch/_dynamo/guards.py:45]"
    record = {MODULE: {}, "frame_id": 0, "frame_compile_id": 1, "has_payload": "a"}
    (tmp_path / "trace.log").write_text(f"{head} {json.dumps(record)}\n\t+- {guard}\n")
    (event,) = read_trace(tmp_path / "trace.log")
    assert (event.name, event.data["class"]) == (MODULE, "torch.nn.modules.linear.L")
    assert (event.compile_id, event.payload) == ("0/1", "")


def test_what_only_our_logging_prints():
    """Warnings of torch belong to the user's run, messages that we asked for do not."""
    assert is_added(PREFIX + "Graph break in user code")
    assert not is_added(PREFIX.replace("V1123", "W1123") + "torch._dynamo hit config")
    assert not is_added("loss 0.3")
