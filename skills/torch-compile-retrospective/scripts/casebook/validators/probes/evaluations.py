"""How many guards one call of a compiled function evaluates, counted in the guard tree itself."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable
from typing import Any

from torch._C._dynamo import guards as trees
from torch._dynamo.eval_frame import _debug_get_cache_entry_list

from validators.probes.arguments import Arguments
from validators.probes.audit import auditing
from validators.probes.observation import compiler, observe
from validators.probes.report import Report
from validators.probes.witness import WitnessError

Context = Callable[[], contextlib.AbstractContextManager[Any]]


def guard_evaluations(
    target: Callable[..., Any],
    args: tuple[Any, ...] | Arguments,
    *,
    compiling: Context = contextlib.nullcontext,
    running: Context = contextlib.nullcontext,
    backend: str | Callable[..., Any] = "eager",
    **options: Any,
) -> Report:
    """Compile `target` plain and changed, and count the guards that one call of each evaluates.

    The changed variant is compiled with `options` (of `torch.compile`) inside `compiling()`, and
    called inside `running()`. Without `options` and `compiling`, the plain variant is called inside
    `running()` instead. The report is `observe`'s over two warm-up calls of each, with these facts:
    - "guards": how many guards the plain variant holds;
    - "plain" and "changed": how many of its guards each variant evaluates in a third call. Guards
      that Dynamo skips, for an unchanged dict or under the stance, are not counted;
    - "plain_in_python" and "changed_in_python": how many conditions are in the function that Dynamo
      writes for guards on sizes and floats.

    A report that holds an exception, or is an audit's, has none of the facts.

    Raises:
        WitnessError: `target` compiles to more than one graph or variant, so a call evaluates
            guards that are not counted.
    """

    # Two functions: Dynamo caches by code object, and one variant would find the other's code.
    def plain(*args: Any, **kwargs: Any) -> Any:
        return target(*args, **kwargs)

    def changed(*args: Any, **kwargs: Any) -> Any:
        return target(*args, **kwargs)

    same = not options and compiling is contextlib.nullcontext
    as_is = altered = compiler(backend, {})(plain)
    if not same:
        altered = compiler(backend, options)(changed)
    item = args if isinstance(args, Arguments) else Arguments(tuple(args))

    def called(compiled: Callable[..., Any], context: Context) -> Any:
        with context():
            return compiled(*item.args, **item.kwargs)

    calls = [(as_is, contextlib.nullcontext)] * 2 + [(altered, compiling)] * 2
    report = observe(called, calls, compile=lambda call: call)
    if report.exception is not None or auditing():
        return report
    if report.graph_breaks:
        raise WitnessError(
            "The target breaks its graph, and only its first frame would be counted; give a "
            "target of one graph."
        )
    before = _Counted(plain)
    after = before if same else _Counted(changed)
    facts = {
        "guards": before.guards,
        "plain": before.in_a_call(lambda: called(as_is, contextlib.nullcontext)),
        "changed": after.in_a_call(lambda: called(altered, running)),
        "plain_in_python": before.in_python,
        "changed_in_python": after.in_python,
    }
    return dataclasses.replace(report, facts={**report.facts, **facts})


class _Counted:
    """The guard trees of a compiled function, each manager with one more guard, which counts.

    That guard comes last in its manager, so it runs if the others held, and always holds. The
    manager of a dict takes no such guard; those on its keys and values have managers of their own.
    """

    def __init__(self, function: Any) -> None:
        entries = _debug_get_cache_entry_list(function.__code__)
        if len(entries) != 1:
            raise WitnessError(
                f"The target has {len(entries)} compiled variants; give one that compiles once."
            )
        wrapper = entries[0].guard_manager
        self.in_python = sum(
            len(guard.verbose_code_parts()) for guard in wrapper.root.get_epilogue_lambda_guards()
        )
        self.guards = sum(len(manager.get_leaf_guards()) for manager in _managers(wrapper.root))
        self.evaluated = 0
        # Under the stance a call evaluates a tree of its own, which a filter may leave empty.
        for root in filter(None, (wrapper.root, wrapper.diff_guard_root)):
            for manager in _managers(root):
                self._count(manager)

    def in_a_call(self, call: Callable[[], Any]) -> int:
        """How many guards are evaluated while `call` runs."""
        self.evaluated = 0
        call()
        return self.evaluated

    def _count(self, manager: Any) -> None:
        if isinstance(manager, trees.DictGuardManager):
            return
        number = len(manager.get_leaf_guards())

        def add(_value: Any) -> bool:
            self.evaluated += number
            return True

        try:
            manager.add_lambda_guard(add, ["counted"])
        except TypeError:
            # Some releases take the user's stack as well.
            manager.add_lambda_guard(add, ["counted"], None)


def _managers(root: Any) -> list[Any]:
    """Every guard manager of a tree, once."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        manager = waiting.pop()
        if id(manager) in seen:
            continue
        # `found` keeps the managers alive, so that no id is used twice.
        seen.add(id(manager))
        found.append(manager)
        waiting += manager.get_child_managers()
        if isinstance(manager, trees.DictGuardManager):
            pairs = manager.get_key_value_managers().values()
            waiting += [side for pair in pairs for side in pair if side is not None]
    return found
