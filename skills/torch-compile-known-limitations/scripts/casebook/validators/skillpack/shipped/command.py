"""What all scripts share: options, JSON on stdout, messages on stderr, exit status."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from typing import Any, NoReturn

from validators.errors import CasebookError, sentence_of
from validators.files import ROOT
from validators.match.knowledge import Knowledge, knowledge_from

MOST = 8000
"""Characters on stdout, unless --full asks for all."""
Answer = tuple[Any, int]
"""What a script prints as JSON, and its exit status."""


def parser(name: str, about: str, status: str) -> argparse.ArgumentParser:
    """A parser for one script; `status` explains its exit status."""
    made = argparse.ArgumentParser(
        prog=f"{name}.py",
        description=about,
        epilog=f"Exit status: {status}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--full", action="store_true", help=f"Print more than {MOST} characters.")
    return made


def add_environment(made: argparse.ArgumentParser) -> None:
    """Add the options that name the interpreter and the device."""
    made.add_argument("--python", default=sys.executable, help="The interpreter that has torch.")
    made.add_argument("--device", choices=["cpu", "cuda"], default="cpu")


def add_compile_options(made: argparse.ArgumentParser) -> None:
    """Add those options of `torch.compile` that a diagnosis takes."""
    made.add_argument("--backend", help="`backend` of torch.compile.")
    made.add_argument("--mode", help="`mode` of torch.compile.")
    made.add_argument("--dynamic", action="store_true", default=None)
    made.add_argument("--timeout", type=float, default=300.0, metavar="S", help="For each part.")


def compile_options(given: argparse.Namespace) -> dict[str, Any]:
    """The options of `torch.compile` that were given."""
    named = {name: getattr(given, name) for name in ("backend", "mode", "dynamic")}
    return {name: value for name, value in named.items() if value is not None}


def data(name: str) -> dict[str, Any]:
    """A file of the bundle."""
    found: dict[str, Any] = json.loads((ROOT / "data" / name).read_text(encoding="utf-8"))
    return found


def knowledge() -> Knowledge:
    """What the bundle knows of the cases."""
    return knowledge_from(data("knowledge.json"))


def run(main: Callable[[list[str]], Answer]) -> NoReturn:
    """Print what `main` answers and exit; errors that users can fix are one sentence."""
    try:
        answer, status = main(sys.argv[1:])
    except CasebookError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(sentence_of(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    with contextlib.suppress(BrokenPipeError):  # somebody reads only the beginning
        print(as_json(answer), flush=True)
        sys.exit(status)
    os._exit(status)


def as_json(answer: Any) -> str:
    """An answer as indented JSON."""
    plain = asdict(answer) if is_dataclass(answer) and not isinstance(answer, type) else answer
    return json.dumps(plain, indent=1)


def within(answer: dict[str, Any], lists: list[str], full: bool) -> dict[str, Any]:
    """The answer with the ends of its `lists` left out, the last list first, until it is short.

    `left_off` counts what is missing; --full prints it.
    """
    kept = dict(answer)
    for name in reversed(lists):
        while not full and kept[name] and len(as_json(kept)) > MOST:
            kept[name] = kept[name][:-1]
            kept["left_off"] = kept.get("left_off", 0) + 1
    return kept


def tell(message: str) -> None:
    """Say how far it is, on stderr."""
    print(message, file=sys.stderr, flush=True)


def _fail(message: str, status: int) -> NoReturn:
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(status)
