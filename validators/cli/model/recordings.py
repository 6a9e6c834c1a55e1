"""The targets of `diagnose` that are not a factory: a command to watch, a recorded trace or log."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from validators.cli.places import Places
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis, Part
from validators.diagnose.from_recording import SCRIPT, Setting, diagnosed_recording
from validators.diagnose.recording.recorded import Recording, read_recording
from validators.diagnose.recording.tlparse import tlparse_report
from validators.diagnose.recording.trace_files import trace_files
from validators.diagnose.target.spec import REFERENCE
from validators.diagnose.watch import watch
from validators.environment import Environment, describe
from validators.errors import CasebookError
from validators.knowing.knowledge import knowledge_of
from validators.repository import Repository
from validators.versions import version_of

_APPLY = ("target", "release", "timeout", "out", "as_json", "places", "against", "site")
_TRACES = "dedicated_log_torch_trace_*.log"


@dataclass(frozen=True)
class Given:
    """What the user gave: `release` of torch or "", seconds, the folder of the reports if any."""

    places: Places
    release: str
    timeout: float
    out: Path | None
    as_json: bool


def is_recorded(words: Sequence[str]) -> bool:
    """Whether a target is a command or a recording: several words, or one that is no factory."""
    if len(words) > 1:
        return True
    known = words[0] in REFERENCE or words[0].endswith(".py")
    return not known and Path(words[0]).exists()


def recorded_diagnosis(context: click.Context, words: Sequence[str], given: Given) -> Diagnosis:
    """The diagnosis of a command, which is run and watched, or of a recording.

    Raises:
        CasebookError: nothing was compiled, or the recording cannot be read.
    """
    for name in context.params:
        typed = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if typed and name not in _APPLY:
            option = f"--{name.replace('_', '-')}"
            raise CasebookError(f"{option}: needs a factory as target; leave it out here")
    path = Path(words[0])
    if len(words) == 1 and not is_program(path):
        return _diagnosed(str(path), read_recording(path), None, given)
    return _watched(words, given)


def _watched(command: Sequence[str], given: Given) -> Diagnosis:
    env = _interpreter(command[0])
    old = env is not None and version_of(env.fingerprint.torch).release < (2, 6)
    stdout = sys.stderr if given.as_json else sys.stdout
    stdout.flush()
    said = " ".join(command)
    with _traces(given.out) as folder:
        done = watch(command, folder, given.timeout, old, stdout.fileno())
        recording = read_recording(folder)
        if not any(it.name == "dynamo_start" for it in recording.events):
            raise CasebookError(f"{said}: {_uncompiled(done.failure)}")
        diagnosis = _diagnosed(said, recording, env, given)
    diagnosis.parts.append(Part(SCRIPT, done.seconds, done.failure, {}))
    return diagnosis


def _uncompiled(failure: str) -> str:
    if failure:
        return f"no torch.compile ran: it {failure}; its messages are above"
    if (
        os.environ.get("TORCHDYNAMO_DISABLE") == "1"
        or os.environ.get("TORCH_COMPILE_DISABLE") == "1"
    ):
        return "no torch.compile ran: the environment disables it; unset TORCH_COMPILE_DISABLE"
    return "no torch.compile ran: compile a model in it and call the model"


def _diagnosed(
    target: str, recording: Recording, env: Environment | None, given: Given
) -> Diagnosis:
    setting = _setting(given.release or recording.torch, env)
    repository = Repository(given.places.catalog, [given.places.local])
    explainer = Explainer(knowledge_of(repository), setting.column, setting.torch)
    return diagnosed_recording(target, recording, setting, explainer, Path.cwd())


def _setting(release: str, env: Environment | None) -> Setting:
    """Evidence of the release's CPU column counts where the device is not known."""
    if env is not None:
        return Setting(env.fingerprint.torch, env.fingerprint.python, env.column)
    if not release:
        return Setting()
    numbers = version_of(release)
    if numbers.release == (0,):
        raise CasebookError(f"--torch {release}: is not a release; write for example 2.13.0")
    public = ".".join(map(str, [*numbers.release, 0, 0][:3]))
    suffix = numbers.public.removeprefix(".".join(map(str, numbers.release)))
    return Setting(release, column=f"torch-{public}{suffix}-cpu")


def _interpreter(program: str) -> Environment | None:
    """The interpreter that a command names, None for another program."""
    if not Path(program).name.startswith("python"):
        return None
    try:
        return describe(program)
    except CasebookError:
        return None


def is_program(path: Path) -> bool:
    """Whether `diagnose` runs a target as a command, though it is a single word."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4).startswith((b"#!", b"\x7fELF"))


@contextlib.contextmanager
def _traces(out: Path | None) -> Iterator[Path]:
    """The folder for traces: beside the reports, without older ones, or for a moment."""
    if out is None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            yield Path(folder)
    else:
        yield trace_folder(out)


def trace_folder(out: Path) -> Path:
    """The folder for traces beside the reports in `out`, without those of earlier runs."""
    folder = (out / "trace").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(_TRACES):
        old.unlink()
    return folder


def beside(words: Sequence[str], out: Path) -> Iterator[str]:
    """Say what lies beside the reports, and have tlparse write its report."""
    recorded = len(words) == 1 and is_recorded(words) and not is_program(Path(words[0]))
    traces = Path(words[0]) if recorded else out / "trace"
    if files := trace_files(traces):
        yield f"Trace: {traces}; like tlparse's report it holds your paths and code"
        yield tlparse_report(files, out / "tlparse")
