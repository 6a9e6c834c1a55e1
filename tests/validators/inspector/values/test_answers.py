"""What is kept of a call: structure, tensors, gradients and state."""

from __future__ import annotations

import collections
import dataclasses
import enum
from types import SimpleNamespace

import pytest
import torch

from validators.inspector.loading.target import Target
from validators.inspector.values.answers import NoGradients, answer, attributes_of, state_of
from validators.inspector.values.leaves import leaves
from validators.inspector.values.rounding import gap, magnitude
from validators.probes.arguments import call

CPU = torch.profiler.ProfilerActivity.CPU
Pair = collections.namedtuple("Pair", "first second")
ONE = torch.ones(2)


@dataclasses.dataclass
class Fields:
    first: torch.Tensor
    second: int


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Mapping(collections.OrderedDict):
    pass


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        (ONE, {"": "float32[2]"}),
        ((ONE, None), {"": "tuple of 2", "[0]": "float32[2]", "[1]": "NoneType"}),
        ([ONE], {"": "list of 1", "[0]": "float32[2]"}),
        ({"b": 1, "a": ONE}, {"": "dict of a, b", "['a']": "float32[2]", "['b']": "int"}),
        (Mapping(b=1, a=2), {"": "mapping of b, a", "['b']": "int", "['a']": "int"}),
        (Pair(ONE, 1.5), {"": "tuple with first, second", ".first": "float32[2]",
                          ".second": "float"}),
        (Fields(ONE, 2), {"": "object with first, second", ".first": "float32[2]",
                          ".second": "int"}),
        (SimpleNamespace(kept=[ONE], other=3), {"": "object with kept", ".kept": "list of 1",
                                               ".kept[0]": "float32[2]"}),
        (torch.nn.Linear(2, 2), {"": "Linear"}),
        (ONE.numpy(), {"": "float32[2] of NumPy"}),
        ({2, 1}, {"": "set of 2"}),
        (Colour.RED, {"": "Colour"}),
        (ONE.to_sparse(), {"": "float32[2], sparse_coo"}),
    ],
)  # fmt: skip
def test_structure_is_kept(value, kinds):
    """Each part has a path; other objects' own affairs are left out."""
    assert {path: it.kind for path, it in leaves(value, "").items()} == kinds


@pytest.mark.parametrize(
    ("one", "other"),
    [(ONE.numpy(), ONE.numpy() * 2), ({1}, {2}), (Colour.RED, Colour.BLUE)],
)
def test_what_is_no_tensor_is_compared_as_well(one, other):
    """By its values."""
    assert gap(leaves(one, "")[""], leaves(one, "")[""]) == 0
    assert gap(leaves(one, "")[""], leaves(other, "")[""]) != 0


def test_a_value_that_holds_itself_ends():
    """It is not followed for ever."""
    value: list = [ONE]
    value.append(value)
    assert set(leaves(value, "it")) == {"it", "it[0]", "it[1]"}


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)
        self.register_buffer("seen", torch.zeros(()), persistent=False)
        self.steps = 0

    def forward(self, x):
        """Change everything that a call can change."""
        self.steps += 1
        self.seen += 1
        x.data.mul_(2)
        return self.layer(x)


def target(model):
    """A target for inference."""
    return Target(model, model, (), trains=False, again=lambda: target(model))


def test_an_answer_has_all_that_a_call_changes():
    """Output, arguments, gradients, buffers, plain attributes; later calls change none of it."""
    model = Model()
    made = answer(target(model), model, call(torch.ones(1, 2)), backward=True)
    again = answer(target(model), model, call(torch.ones(1, 2)))
    assert made.returned["output"].trains
    assert made.arguments["argument 0"].values.tolist() == [2, 2]
    assert set(made.gradients) == {"layer.weight", "layer.bias"}
    assert again.gradients is None
    assert [it.state["seen"].values.item() for it in (made, again)] == [1, 2]
    assert [it.attributes["steps"].values for it in (made, again)] == [1, 2]
    assert model.layer.weight.grad is None


def test_the_names_of_a_compiled_model_are_those_of_the_model():
    """Also where a part is compiled."""
    model = Model()
    model.layer = torch.compile(model.layer)
    assert set(state_of(torch.compile(model))) == {"layer.weight", "layer.bias", "seen"}
    assert set(attributes_of(torch.compile(model))) >= {"steps"}


class Once(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        """Compute something."""
        return x * 2

    @staticmethod
    def backward(context, gradient):
        """Have no gradient."""
        raise ValueError("no way back")


def test_a_backward_pass_that_raises_is_told_apart():
    """It says nothing of the forward pass."""
    model = torch.nn.Linear(2, 2)
    with pytest.raises(NoGradients, match="no way back"):
        answer(target(model), lambda x: Once.apply(model(x)), call(ONE), backward=True)


LARGE = torch.randn(1 << 10, 1 << 9, generator=torch.Generator().manual_seed(0))
LATER = torch.arange(LARGE.shape[1]) % 8 != 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.complex64])
@pytest.mark.parametrize(
    "change",
    [
        lambda it: it * ~LATER,
        lambda it: it.flip(0),
        lambda it: it[:, torch.randperm(512)],
        lambda it: it.index_fill(0, torch.tensor([700]), 0),
    ],
    ids=["columns as zeros", "rows reversed", "columns mixed", "a row as zeros"],
)
def test_no_pattern_hides_in_a_large_tensor(dtype, change):
    """Few of its numbers are kept, and all elements count."""
    large = (LARGE * 1000).to(dtype)
    before, after = leaves(large, "it")["it"], leaves(change(large), "it")["it"]
    assert before.values.numel() < large.numel() // 4 and not before.whole()
    assert gap(before, leaves(large.clone(), "it")["it"]) == 0
    # Of whole numbers, those that differ are counted.
    assert gap(before, after) > (50 if dtype == torch.int64 else 0.1 * magnitude(before))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_counts_in_a_large_tensor(value):
    """Where it is matters; other elements still count."""
    changed, moved = LARGE.clone(), LARGE.clone()
    changed[3, 4] = moved[4, 3] = value
    kept = [leaves(it, "it")["it"] for it in (LARGE, changed, moved, changed * 2)]
    assert gap(kept[0], kept[1]) == gap(kept[1], kept[2]) == float("inf")
    assert 0 < gap(kept[1], kept[3]) < 10
    assert gap(kept[1], kept[1]) == 0


def test_a_large_tensor_is_never_wide_as_a_whole():
    """What is kept of a model that fills half of the memory is summed piece by piece."""
    with torch.profiler.profile(activities=[CPU], profile_memory=True) as profile:
        leaves(LARGE, "it")
    wide = LARGE.nbytes * torch.float64.itemsize // LARGE.itemsize
    assert max(it.cpu_memory_usage for it in profile.events()) < wide
