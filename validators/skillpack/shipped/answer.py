"""What the verbs share: their options, and answers that an agent can read whole."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, is_dataclass
from typing import Any

from validators.files import ROOT
from validators.match.knowledge import Knowledge, knowledge_from
from validators.silent.known import Known, known_from

MOST = 8000
"""Characters on stdout, unless --full asks for all."""
Answer = tuple[Any, int]
"""What a verb prints as JSON, and its exit status."""


def add_environment(verb: argparse.ArgumentParser) -> None:
    """Add the options that name the interpreter and the device."""
    verb.add_argument("--python", default=sys.executable, help="The interpreter that has torch.")
    verb.add_argument("--device", choices=["cpu", "cuda"], default="cpu")


def add_compile_options(verb: argparse.ArgumentParser) -> None:
    """Add those options of `torch.compile` that a diagnosis takes."""
    verb.add_argument("--backend", help="`backend` of torch.compile.")
    verb.add_argument("--mode", help="`mode` of torch.compile.")
    verb.add_argument("--dynamic", action="store_true", default=None)
    verb.add_argument("--timeout", type=float, default=300.0, metavar="S", help="For each part.")


def compile_options(given: argparse.Namespace) -> dict[str, Any]:
    """The options of `torch.compile` that were given."""
    named = {name: getattr(given, name) for name in ("backend", "mode", "dynamic")}
    return {name: value for name, value in named.items() if value is not None}


def knowledge() -> Knowledge:
    """What the bundle knows of the cases."""
    return knowledge_from(_data("knowledge"))


def silent_errors() -> list[Known]:
    """The silent errors that the bundle knows."""
    return known_from(_data("silent"))


def _data(name: str) -> Any:
    return json.loads((ROOT / "data" / f"{name}.json").read_text(encoding="utf-8"))


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
