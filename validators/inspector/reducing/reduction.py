"""One try of a reduction: part of a target, compiled alone, and what fails in it."""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from validators.inspector.loading.opened import is_users_own, opened
from validators.inspector.loading.target import Step, Target, TargetError, load
from validators.inspector.reducing import reproducer
from validators.inspector.reducing.expression import Inexpressible, Writer, building
from validators.probes.arguments import Arguments
from validators.probes.differences import copied_inputs
from validators.probes.switches import force_eager, replaced
from validators.worker import older_torch
from validators.worker.user_code import seed, sentence

Found = dict[str, Any]


@dataclass(frozen=True)
class _Subject:
    """What a try runs: `make()` returns it anew, `calls()` its calls, `loss` trains it or not."""

    make: Callable[[], Any]
    calls: Callable[[], list[tuple[Any, Any]]]
    loss: Any


def reduce(request: dict[str, Any]) -> Found:
    """What the request's part finds; `{"unusable": sentence}` if the target cannot be used."""
    older_torch.complete()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = request["cache"]
    try:
        if request["part"] == "describe":
            with opened() as read:
                found = _asked(request)
            return {**found, "opened": read.files()}
        return _asked(request)
    except TargetError as error:
        return {"unusable": str(error)}


def _asked(request: Found) -> Found:
    target = load(request["target"], request["folder"], request["paths"])
    return _PARTS[request["part"]](target, request)


def _count(target: Target, _request: Found) -> Found:
    """How many calls the target has, and whether it trains."""
    return {"calls": len(target.calls), "trains": target.trains}


def _try(target: Target, request: Found) -> Found:
    """Whether the subject works in eager mode, and what fails of it compiled."""
    trial = request["trial"]
    try:
        subject = _subject(target, trial)
    except Exception as error:
        return {"eager": sentence(error), "found": []}
    given = subject.make, subject.calls, subject.loss
    if said := reproducer.fails_in_eager(*given):
        return {"eager": said, "found": []}
    torch._dynamo.reset()
    options = {**request["compile"], "backend": trial["backend"]}
    if trial["backend"] != "inductor":
        options.pop("mode", None)
    return {"eager": "", "found": reproducer.KINDS[request["kind"]](*given, options)}


def _children(target: Target, request: Found) -> Found:
    """The modules that run below the subject, nearest first, with their classes and calls."""
    trial = request["trial"]
    root = _module(target, trial["path"])
    below = [it for it in _named(root) if it]
    prefix = f"{trial['path']}." if trial["path"] else ""
    names = [f"{prefix}{name}" for name in below]
    seen = _recorded(target, trial, names, lambda given: given)
    counts = {name: len(it) for name, it in seen.items()}
    found: list[Found] = []
    for name, count in counts.items():
        if count and not any(name.startswith(f"{it['path']}.") for it in found):
            kind = type(_module(target, name)).__name__
            found.append({"path": name, "type": kind, "calls": count})
    return {"children": found}


def _describe(target: Target, request: Found) -> Found:
    """What a script needs to make the subject anew; saves parameters and calls beside it.

    `model` and `inputs` are Python text, or "" with the reason in `why`.
    """
    trial = request["trial"]
    subject = _subject(target, trial)
    model, calls = subject.make(), subject.calls()
    # What is read or imported only by a call, the script needs as well.
    reproducer.fails_in_eager(subject.make, subject.calls, subject.loss)
    found: Found = {"type": getattr(type(model), "__name__", ""), "why": []}
    names: set[tuple[str, str]] = set()
    found["model"] = _expressed(found, names, lambda writer: _constructed(target, trial, writer))
    found["inputs"] = _expressed(
        found, names, lambda writer: [f"({writer.text(a)}, {writer.text(k)})" for a, k in calls]
    )
    found["names"] = sorted(names)
    found["files"] = _local_modules()
    found["packages"] = _packages(names, found["files"].values())
    found["saved"] = _saved(request["values"], model, calls)
    return found


def _subject(target: Target, trial: Found) -> _Subject:
    losses = {"none": None, "total": reproducer.total, "own": _own_loss(target)}
    loss = losses[trial["loss"]]
    path = trial["path"]
    if path:
        recorded = _recorded(target, trial, [path], _copied)[path]
        chosen = trial["inner"] if trial["inner"] is not None else range(len(recorded))
        calls = [recorded[it] for it in chosen]
    else:
        calls = [target.calls[it] for it in trial["calls"]]

    def copies() -> list[tuple[Any, Any]]:
        return [copied_inputs((it.args, it.kwargs)) for it in calls]

    return _Subject(lambda: _module(target.again(), path), copies, loss)


def _own_loss(target: Target) -> Any:
    if not isinstance(target.run, Step):
        return None
    step = target.run
    return lambda output: step.loss(output, None)


def _module(target: Target, path: str) -> Any:
    if target.model is None:
        return target.run
    return target.model.get_submodule(path)


def _named(module: Any) -> list[str]:
    return [name for name, _ in module.named_modules()] if hasattr(module, "named_modules") else []


def _recorded(
    target: Target, trial: Found, names: list[str], copied: Callable[[Any], Any]
) -> dict[str, list[Arguments]]:
    """The calls that modules get while the target runs eagerly, `copied` one by one."""
    fresh = target.again()
    seen: dict[str, list[Arguments]] = {name: [] for name in names}

    def noting(path: str) -> Callable[..., None]:
        def note(_module: Any, args: Any, kwargs: Any) -> None:
            seen[path].append(Arguments(*copied((args, kwargs))))

        return note

    with contextlib.ExitStack() as stack:
        for path in seen:
            handle = _module(fresh, path).register_forward_pre_hook(noting(path), with_kwargs=True)
            stack.callback(handle.remove)
        stack.enter_context(force_eager())
        for index in trial["calls"]:
            item = target.calls[index]
            args, kwargs = copied_inputs((item.args, item.kwargs))
            seed(20)
            _module(fresh, "")(*args, **kwargs)
    return seen


def _copied(given: Any) -> Any:
    """A deep copy in which tensors that autograd made are leaves; caches may hold such tensors."""
    real = torch.Tensor.__deepcopy__

    def copy_leaf(self: Any, memo: Any) -> Any:
        if self.is_leaf:
            return real(self, memo)
        return real(self.detach(), memo).requires_grad_(self.requires_grad)

    with replaced(torch.Tensor, "__deepcopy__", copy_leaf):
        return copy.deepcopy(given)


def _expressed(found: Found, names: set[tuple[str, str]], write: Callable[[Writer], Any]) -> Any:
    writer = Writer({})
    try:
        text = write(writer)
    except Inexpressible as error:
        found["why"].append(f"no Python text makes a {error}")
        return ""
    names |= writer.names
    return text


def _constructed(target: Target, trial: Found, writer: Writer) -> str:
    """Python that builds the subject with the arguments that its own factory used."""
    if target.model is None:
        return writer.name(target.run)
    classes = {base for it in _module(target, trial["path"]).modules() for base in _bases(it)}
    with building(classes) as built:
        module = _module(target.again(), trial["path"])
    writer.built = built
    text = writer.text(module)
    kinds = {it.dtype for it in module.parameters() if it.is_floating_point()}
    places = {it.device.type for it in module.parameters()}
    changes = [str(it) for it in kinds if len(kinds) == 1 and it != torch.float32]
    changes += [repr(it) for it in places if len(places) == 1 and it != "cpu"]
    text += "".join(f".to({it})" for it in changes)
    if kinds and not any(it.requires_grad for it in module.parameters()):
        text += ".requires_grad_(False)"
    return text if module.training else f"{text}.eval()"


def _bases(module: Any) -> Iterator[type]:
    for base in type(module).__mro__:
        if base in (torch.nn.Module, object):
            return
        yield base


def _local_modules() -> dict[str, str]:
    """The loaded modules of the user's own, by name: neither installed nor Python's nor ours."""
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if not is_users_own(file) or not Path(file).is_absolute():
            continue
        if Path(file).stem in (name.rpartition(".")[2], "__init__"):
            found[name] = file
    return found


def _packages(names: set[tuple[str, str]], files: Iterable[str]) -> dict[str, str]:
    """The versions of the installed packages that names and the user's files come from."""
    modules = {module for module, _ in names}
    for file in files:
        with contextlib.suppress(OSError, SyntaxError, ValueError):
            modules |= {*_imported_by(ast.parse(Path(file).read_bytes()))}
    known = importlib.metadata.packages_distributions()
    tops = {it.partition(".")[0] for it in modules}
    owners = {owner for it in tops for owner in known.get(it, ())}
    return {it: importlib.metadata.version(it) for it in sorted(owners)}


def _imported_by(tree: ast.Module) -> Iterator[str]:
    """The names of the modules that a file imports, other than those beside it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (it.name for it in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _saved(path: str, model: Any, calls: Any) -> bool:
    """Save parameters and calls as plain tensors and containers; False if that cannot be done."""
    state = model.state_dict() if isinstance(model, torch.nn.Module) else None
    try:
        torch.save({"state": state, "calls": calls}, path)
    except Exception:
        return False
    return True


_PARTS: dict[str, Callable[[Target, Found], Found]] = {
    "count": _count,
    "try": _try,
    "children": _children,
    "describe": _describe,
}
