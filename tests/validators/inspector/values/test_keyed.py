"""The leaves of values, with the keys that lead to them."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch.utils._pytree as pytree

from validators.inspector.loading.target import Target
from validators.inspector.values.answers import answer
from validators.inspector.values.keyed import keyed
from validators.probes.arguments import call


class Output(OrderedDict[str, Any]):
    """A class of a package that names its parts to nobody."""


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register the class without keys, as a package would."""
    pytree.register_pytree_node(
        Output,
        lambda it: (list(it.values()), list(it)),
        lambda values, names: Output(zip(names, values, strict=True)),
    )
    yield
    pytree.SUPPORTED_NODES.pop(Output)
    pytree.SERIALIZED_TYPE_TO_PYTHON_TYPE.pop("test_keyed.Output", None)


def test_values_that_torch_knows_have_its_keys() -> None:
    """The same leaves in the same order, whatever they lie in."""
    pair = namedtuple("pair", "a b")
    for value in (1, None, [], (), {}, [1, {"a": (2, [])}], pair(1, [2, 3]), {"b": None, "a": 1}):
        assert keyed(value) == pytree.tree_flatten_with_path(value)[0]


def test_parts_without_names_are_numbered() -> None:
    """At any depth; the others keep their names."""
    found = keyed({"out": Output(a=[1, 2], b=3)})
    assert [(pytree.keystr(keys), leaf) for keys, leaf in found] == [
        ("['out'][0][0]", 1),
        ("['out'][0][1]", 2),
        ("['out'][1]", 3),
    ]


def test_a_model_that_returns_such_a_value_has_an_answer() -> None:
    """Which output shares memory with an argument is found as well."""

    def run(x: torch.Tensor) -> Output:
        return Output(sample=x.view(-1), other=x + 1)

    target = Target(run, None, (), trains=False, again=lambda: target)
    found = answer(target, run, call(torch.ones(2, 2)))
    assert found.shared == {("output[0]", "argument 0")}
