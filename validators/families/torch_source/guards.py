"""Guards that fail, and the reasons for a recompile that logs give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from validators.families.torch_source.formats import letters_of, parts_of, slug_of
from validators.families.torch_source.found import Found
from validators.families.torch_source.installed import Release
from validators.families.torch_source.reading import Place, SourceFile, name_of

GUARDS = "_dynamo/guards.py"
LIBRARY = "lib/libtorch_python.so"
LIMIT = "hit config."
"""Part of the warning of a function that has been compiled too often."""
_BUILDER = "GuardBuilder"
_CODE = ("code", "code_part", "code_parts", "global_name")
"""The variables that hold a guard's text while the builder makes it."""
_OTHER_BUILDERS = {"id_match_unchecked": "id-match", "hasattr": "hasattr", "TENSOR_MATCH": ""}
_MARKED = "hasattr("
_LEAST_LETTERS = 15
_KEY_WORDS = 4
_SOURCES = {
    ".size()[": "shape-env-size",
    ".stride()[": "shape-env-stride",
    ".storage_offset()": "shape-env-storage-offset",
}
_STATES = (
    "grad_mode ",
    "autocast ",
    "autocast(",
    "autocast_cache_enabled ",
    "torch_function ",
    "deterministic_algorithms ",
    "deterministic_algorithms_warn_only ",
    "allow_tf32 ",
    "cuda_matmul_precision ",
    "allow_fp16_reduce ",
    "allow_bf16_reduce ",
    "num_threads ",
    "default_dtype ",
)
_IN_LIBRARY = {
    "tensor-size": ["tensor '{name}' |size mismatch at index {i}. expected {size}, actual {size}"],
    "tensor-stride": [
        "tensor '{name}' |stride mismatch at index {i}. expected {stride}, actual {stride}",
    ],
    "tensor-dtype": ["tensor '{name}' |dtype mismatch. expected {dtype}, actual {dtype}"],
    "tensor-rank": ["tensor '{name}' |rank mismatch. expected {rank}, actual {rank}"],
    "tensor-requires-grad": [
        "tensor '{name}' |requires_grad mismatch. expected requires_grad={flag}",
    ],
    "tensor-dispatch-keys": [
        "tensor '{name}' |dispatch key set mismatch. expected {keys}, actual {keys}",
    ],
    "tensor-device": [
        "tensor '{name}' |Tensor device index mismatch. Expected device index to be {index}"
        ", actual {index}",
    ],
    "tensor-type": [
        "expected type of '{name}' to be a tensor type, |' but found {type}",
        "expected type of '{name}' to be {type}, but found {type}",
    ],
    "parameter-shape": [
        ". Guard failed on a parameter, consider using "
        "|torch._dynamo.config.force_parameter_static_shapes = False "
        "|to allow dynamism on parameters.",
    ],
    "duplicate-tensors-found": [
        "Duplicate tensor found where not expected! {name} "
        "|should not alias to anything, but is aliased",
    ],
    "dimension-marking": [
        "_has_dynamo_dim_marking is present on runtime tensor but was absent at compile time",
        "{attribute} should be absent but is present on runtime tensor",
        "{attribute} not a subset: runtime {dims} is not a subset of compiled {dims}",
    ],
    "assert-size-stride": [
        "expected size {size}==|{size}, stride {stride}==|{stride} at dim=|{dim}",
        "This error most often comes from a incorrect fake (aka meta) kernel for a custom op.|",
    ],
    "shape-guard-failed": ['"Shape guard failed with values: {values}'],
    "key-error": ["KeyError on {source}"],
    "index-error": ["IndexError on {source}"],
    "length-check": ["len({source}) != {length}"],
    "type-mismatch": ["TYPE_MISMATCH({source}"],
}
"""What torch's library prints. It holds only literal texts, which end at each hole and each bar, so
the order in which they are printed stands here. A release has a format if it has all its texts.
"""


def guards(release: Release) -> Iterator[Found]:
    """The texts of all guards, and what else a recompile's reason can be."""
    file = release.file(GUARDS)
    yield from _of_builder(file)
    yield from _reasons(file)
    yield from _of_shapes(release.file("_dynamo/source.py"))
    yield from _limits(release)
    yield from _of_library(release)


def _of_builder(file: SourceFile) -> Iterator[Found]:
    """What each method of the builder of guards writes, under the method's name."""
    for place, node in _written(file):
        method = place.functions[-1].name
        key = _OTHER_BUILDERS.get(method, method.lower().replace("_", "-"))
        for text in file.formats(node, place):
            if not "".join(parts_of(text)).strip():
                continue
            if not key and _MARKED in text:
                yield Found(key="dimension-marking", format=text, file=file.name)
            elif key and (method.isupper() or method in _OTHER_BUILDERS):
                yield Found(key=key, format=text, file=file.name)


def _written(file: SourceFile) -> Iterator[tuple[Place, ast.expr]]:
    """The expressions of texts that the builder's methods assign or append."""
    for place in file.places:
        if not place.functions or getattr(place.around[0], "name", "") != _BUILDER:
            continue
        match place.node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _CODE:
                values = value.elts if isinstance(value, ast.List) else [value]
            case ast.Call(func=function, args=[value]) if name_of(function) == "code.append":
                values = [value]
            case ast.Call(func=function, args=[_, ast.List(elts=values), *_]) if name_of(
                function
            ).endswith("_guard"):
                pass
            case _:
                continue
        yield from ((place, it) for it in values if isinstance(it, ast.JoinedStr | ast.Constant))


def _reasons(file: SourceFile) -> Iterator[Found]:
    """Reasons that are not the text of a guard, and the header of a recompile."""
    for place in file.places:
        if not place.functions or getattr(place.around[0], "name", "") == _BUILDER:
            continue
        match place.node:
            case ast.Assign(targets=[ast.Name(id="reason" | "message")], value=value):
                values = [value]
            case ast.Return(value=ast.List(elts=values)):
                pass
            case _:
                continue
        for text in chain.from_iterable(file.formats(value, place) for value in values):
            if letters_of(text) >= _LEAST_LETTERS:
                key = slug_of(text.split("\n")[0], _KEY_WORDS)
                yield Found(key=key, format=text, file=file.name)


def _of_shapes(file: SourceFile) -> Iterator[Found]:
    """How guards on shapes name a size, a stride or an offset."""
    for place in file.places:
        inside = {it.name for it in place.around}
        if "TensorPropertySource" not in inside or not isinstance(place.node, ast.Return):
            continue
        for text in file.formats(place.node.value, place):
            for mark, key in _SOURCES.items():
                if mark in text:
                    format_ = "{base}" + text[text.index(mark) :]
                    yield Found(key=key, format=format_, file=file.name)


def _limits(release: Release) -> Iterator[Found]:
    """The warning of a function that has been compiled too often."""
    for file in release.files("_dynamo", holding=(LIMIT,)):
        for place, call, name in file.calls():
            for text in file.logged(call, place) if name == "warning" else ():
                if LIMIT in text:
                    line = text.split("\n")[0]
                    yield Found(key="recompile-limit", format=line, file=file.name)


def _of_library(release: Release) -> Iterator[Found]:
    path = release.folder / LIBRARY
    binary = path.read_bytes() if path.exists() else b""
    states = [
        (f"global-state-{_key(it)}", f"GLOBAL_STATE changed: {{states}}|{it}") for it in _STATES
    ]
    formats = [(key, text) for key, texts in _IN_LIBRARY.items() for text in texts]
    for key, text in formats + states:
        pieces = [it for part in parts_of(text) for it in part.split("|") if it.strip()]
        # A text ends with a zero byte there, and it may be the end of a longer one.
        if all(it.encode() + b"\0" in binary for it in pieces):
            yield Found(key=key, format=text.replace("|", "").strip(), file=LIBRARY)


def _key(state: str) -> str:
    return state.strip(" (").replace("_", "-")
