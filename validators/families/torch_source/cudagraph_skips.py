"""Why Inductor skips CUDA graphs, or leaves some kernels out of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from validators.families.torch_source.formats import letters_of, slug_of
from validators.families.torch_source.found import Found
from validators.families.torch_source.installed import Release
from validators.families.torch_source.reading import Place, SourceFile, name_of

_PREFIX = re.compile(r"^(?:skipping|disabling) cudagraphs?(?: due to)? ")
_SAY = ("log_cudagraph_skip_and_bump_counter", "format_default_skip_message")
_SAY_PARTITION = ("maybe_log_cudagraph_partition", "log_partition_reason")
_ATTRIBUTES = ("disable_cudagraphs_reason", "disabled_cudagraphs_reason")
_PLACE = re.compile(r"\.? *Found from.*", re.DOTALL)
_PARTITION = {"call": "cudagraph partition due to ", "return": "reason="}
"""What the log says in front of the reason for leaving a kernel out, which varies by release."""
_LEAST_LETTERS = 6
_KEY_WORDS = 5


def cudagraph_skips(release: Release) -> Iterator[Found]:
    """Each reason that the code gives for a skip, without the place in the user's code."""
    wanted = (*_SAY, *_SAY_PARTITION, *_ATTRIBUTES, "def should_partition")
    for file in release.files("_inductor", "_dynamo/backends", holding=wanted):
        for place, node in _reasons(file):
            for reason in map(_without_place, file.formats(node, place)):
                if letters_of(reason) >= _LEAST_LETTERS:
                    yield Found(key=slug_of(reason, _KEY_WORDS), format=reason, file=file.name)
        for place, node, how in _partition_reasons(file):
            for reason in file.formats(node, place):
                if letters_of(reason):
                    key = f"partition-{slug_of(reason, _KEY_WORDS)}"
                    yield Found(key=key, format=_PARTITION[how] + reason, file=file.name)


def _without_place(text: str) -> str:
    return _PLACE.sub("", _PREFIX.sub("", text)).strip(" .\n")


def _reasons(file: SourceFile) -> Iterator[tuple[Place, ast.expr]]:
    """The expressions of reasons for a skip."""
    for place in file.places:
        match place.node:
            case ast.Call(func=function, args=[reason, *_]):
                if name_of(function).rpartition(".")[2] in _SAY:
                    yield place, reason
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=reason):
                if name in _ATTRIBUTES:
                    yield place, reason
            case ast.Assign(targets=[ast.Name(id="cudagraph_tests")], value=ast.List(elts=tests)):
                for test in tests:
                    if isinstance(test, ast.Tuple) and len(test.elts) == 2:
                        yield place, test.elts[1]


def _partition_reasons(file: SourceFile) -> Iterator[tuple[Place, ast.expr, str]]:
    """The expressions of reasons for a partition, and how the code tells them."""
    for place in file.places:
        inner = next(iter(place.functions), None)
        match place.node:
            case ast.Call(func=function, args=[reason, *_]):
                if name_of(function).rpartition(".")[2] in _SAY_PARTITION:
                    yield place, reason, "call"
            case ast.Return(value=reason) if reason and inner and inner.name == "should_partition":
                yield place, reason, "return"
