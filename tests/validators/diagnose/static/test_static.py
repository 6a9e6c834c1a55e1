"""The static pass: what it suspects, and what it leaves alone."""

from __future__ import annotations

import re

import pytest

from validators.diagnose.static.reachable import used
from validators.diagnose.static.source import beliefs, exact_line, sources_of, suspicions

MODEL = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        print("made")
        self.steps = 0

    def forward(self, x):
        {}
        return x
"""

_READ, _BRANCH = "item_in_forward", "tensor_dependent_if_in_rotary"


def found(tmp_path, code: str) -> list[tuple[int, str]]:
    """The lines of a file with `code`, and the cases suspected there."""
    file = tmp_path / "model.py"
    file.write_text(code)
    return [(it.line, it.case) for it in suspicions(sources_of(file))]


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("if x.sum() > 0: x = x * 2", "tensor_dependent_if_in_rotary"),
        ("scale = x.max().item()", "item_in_forward"),
        ("sizes = x.tolist()", "item_in_forward"),
        ("while x.norm() > 9: x = x / 2", "tensor_dependent_if_in_rotary"),
        ("if torch.equal(x, y): x = x * 2", "torch_equal_in_forward"),
        ("n = int(x.abs().max())", "item_in_forward"),
        ("ids = x.nonzero()", "boolean_mask_read"),
        ("ids, = torch.where(x > 0)", "boolean_mask_read"),
        ("kept = x[x > 0]", "boolean_mask_read"),
        ("kept = x[~padding]", "boolean_mask_read"),
        ("kept = x[padding_mask, :]", "boolean_mask_read"),
        ("x[x < 0] = 0", "boolean_mask_assignment"),
        ("n = np.random.uniform(0, 1)", "numpy_random_in_forward"),
        ('print("here")', "print_in_forward"),
        ('logger.info("here")', "logging_in_forward"),
        ('warnings.warn("here")', "warning_in_forward"),
        ("self.steps += 1", "integer_module_attribute"),
        ("self.steps = self.steps + 1", "integer_module_attribute"),
        ("self.steps = 1 + self.steps", "integer_module_attribute"),
        ("x[mask] = 0", "boolean_mask_assignment"),
        ("self.keys = torch.cat([self.keys, x])", "kv_cache_grown_by_cat"),
        ("torch._dynamo.mark_dynamic(x, 0)", "mark_inside_compiled_region"),
        ("z = x * 3 if x.max() > 2 else x", "tensor_dependent_if_in_rotary"),
    ],
)
def test_a_line_of_forward_is_suspected(tmp_path, catalog_names, line, case):
    """Each rule names a case that exists."""
    assert found(tmp_path, MODEL.format(line)) == [(11, case)]
    assert case in catalog_names


@pytest.mark.parametrize(
    "line",
    [
        "if x.dim() == 3: x = x[0]",
        "self.scale = x",
        "x[0] = 0",
        "x = torch.cat([x, x])",
        "pass",
        "self.steps = x.steps + 1",
        "self.steps = self.other + 1",
        "if not is_compiling(): self.steps += 1",
        "n = int(x.shape[0])",
        "n = int(np.max(sizes))",
        "x = torch.where(x > 0, x, 0)",
        "x = table['mask']",
        "table['attention_mask'] = x",
        "x = x[x is None]",
        "if not torch.compiler.is_compiling(): print(x)",
        "if torch.jit.is_scripting(): print(x)",
    ],
)
def test_a_harmless_line_is_not(tmp_path, line):
    """What runs in `__init__` is left alone, too."""
    assert found(tmp_path, MODEL.format(line)) == []


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("s = x.sum(); v = float(s)", _READ),
        ("s = torch.sum(x); v = x * int(s)", _READ),
        ("h = self.layer(x); s = h.mean().cpu(); v = bool(s)", _READ),
        ("w = x.detach().cpu().numpy(); v = float(w.max())", _READ),
        ("s, n = x.sum(), 3; v = float(s)", _READ),
        ("s = x.sum(); t = -s / 2 if s > 0 else s", _BRANCH),
        ("s = x.max() - x.min()\n        if s > 0: x = x * 2", _BRANCH),
        ("y = x.mean()\n        while y: y = y - y", _BRANCH),
        ("y = x.isnan().any()\n        if not y and self.steps: x = x * 2", _BRANCH),
        ("if (y := x.mean()) is not None and y > 0: x = x * 2", _BRANCH),
        ("assert x.min() > 0, f'{x.shape}'", _BRANCH),
        ("assert not x.isnan().any()", _BRANCH),
        ("assert x.min() > 0 and x.max() < 9, 'range'", _BRANCH),
    ],
)
def test_a_tensor_is_followed_through_names(tmp_path, line, case):
    """The code shows that it is one: a method or function of torch made it of an argument."""
    code = MODEL.format(line)
    last = 11 + line.count("\n")
    assert found(tmp_path, code) == [(last, case)]


@pytest.mark.parametrize(
    "line",
    [
        "assert x.min() > 0",
        "assert x.isfinite().all(), 'not finite'",
        "w = x.cpu().numpy()",
        "v = float(x)",
        "n = x.shape[0]; v = float(n)",
        "n = x.size(0)\n        if n > 2: x = x * 2",
        "s = x.sum(); s = 3; v = float(s)",
        "s = x.sum()\n        for s in (1, 2): v = float(s)",
        "s = x.sum()\n        if s is not None: x = x + s",
        "s = x.sum()\n        if s.shape[0] > 2 or len(s) > 2: x = x + s",
        "s = 0\n        if self.steps: s = x.sum()\n        v = float(s)",
        "s = self.layer(x)\n        if s > 2: x = x + s",
        "s = self.scale.sum()\n        if s > 2: x = x + s",
        "s = np.max(x)\n        if s > 2: x = x + s",
        "values, at = x.max(dim=1); v = float(at)",
        "s = x.max(1)\n        if s: x = x * 2",
        "s = x.sum()\n        if not is_compiling() and s > 2: v = float(s)",
        "s = x.sum(); v = [float(s) for s in self.sizes]",
    ],
)
def test_what_need_not_be_a_tensor_is_left_alone(tmp_path, line):
    """And what Dynamo traces: an `assert` with a fixed message, an array."""
    assert found(tmp_path, MODEL.format(line)) == []


def test_a_helper_in_another_file_is_read(tmp_path):
    """Files beside the target are part of it; a function that forward calls is, too."""
    (tmp_path / "layers.py").write_text(MODEL.format("x.item()"))
    code = "import layers\n\ndef used(x):\n    print(x)\n\ndef unused(x):\n    print(x)\n"
    file = tmp_path / "model.py"
    file.write_text(code + "\n" + MODEL.format("used(x)"))
    told = [(it.file.name, it.line, it.case) for it in suspicions(sources_of(file))]
    assert told == [
        ("layers.py", 11, "item_in_forward"),
        ("model.py", 4, "print_in_forward"),
    ]


@pytest.mark.parametrize(
    "made", ["self.register_buffer('steps', zero)", "self.steps = torch.zeros(())"]
)
def test_a_counter_in_a_buffer_is_what_the_page_asks_for(tmp_path, made):
    """Its value is no part of a guard."""
    code = MODEL.format("self.steps += 1; self.steps = self.steps + 1")
    assert found(tmp_path, code.replace("self.steps = 0", made)) == []


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ('torch.compile(f, mode="max-autotune", options={})', True),
        ('torch.compile(f, **{"mode": "default", "options": {}})', True),
        ('torch.compile(f, mode="default", **{"options": {}})', True),
        ('model.compile(mode="default", options={})', True),
        ("torch.compile(f, mode=None, options={})", False),
        ("torch.compile(f, options={}, **more)", False),
        ('model.compile(mode="default", dynamic=True)', False),
    ],
)
def test_calls_of_compile(tmp_path, call, wrong):
    """They are looked at wherever they stand; torch takes a `mode` that is None."""
    assert found(tmp_path, call) == [(1, "mode_together_with_options")] * wrong


@pytest.mark.parametrize(
    ("imported", "decorator"),
    [
        ("import functools as tools", "tools.lru_cache(maxsize=None)"),
        ("from functools import cache", "cache"),
        ("from functools import cache as memo", "memo"),
        ("from functools import lru_cache as memo", "memo(8)"),
    ],
)
def test_a_cache_is_known_by_any_name(tmp_path, imported, decorator):
    """Whatever a module imports it as."""
    code = f"{imported}\n@{decorator}\ndef table(n):\n    return n\n" + MODEL.format("table(4)")
    assert found(tmp_path, code) == [(3, "lru_cache_is_ignored")]


@pytest.mark.parametrize(
    "code",
    [
        "model = torch.compile(DistributedDataParallel(model))",
        "model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0])\n"
        "model = torch.compile(model, mode='default')",
        "from torch.nn.parallel import DistributedDataParallel as Wrapper\n"
        "def f(self):\n    self.net = Wrapper(self.net)\n    self.net.compile()",
        "model = DDP(model).to(0)\nmodel = DDP(model)\nif args.compile:\n    torch.compile(model)",
    ],
)
def test_compiling_what_is_wrapped_already_is_suspected(tmp_path, code):
    """Dynamo then traces the wrapper's own code; the last line compiles."""
    assert found(tmp_path, code) == [(code.count("\n") + 1, "ddp_compile_order")]


@pytest.mark.parametrize(
    "code",
    [
        "model = DDP(torch.compile(model))",
        "model.compile()\nmodel = DDP(model)",
        "model = torch.compile(model)\nmodel = DDP(model)",
        "wrapped = DDP(model)\nmodel = torch.compile(model)",
        "def one(model):\n    model = DDP(model)\n"
        "def other(model):\n    return torch.compile(model)",
    ],
)
def test_compiling_before_wrapping_is_what_the_page_asks_for(tmp_path, code):
    """And names of other functions do not count."""
    assert found(tmp_path, code) == []


def test_the_page_about_the_order_has_it_so(tmp_path, repository):
    """Its first program is suspected, and the second is not."""
    page = repository.catalog.by_name["ddp_compile_order"].page.read_text()
    before, after = re.findall(r"```python title=.+?\n(.+?)```", page, re.DOTALL)
    assert [it for _, it in found(tmp_path, before)] == ["ddp_compile_order"]
    assert found(tmp_path, after) == []


def test_a_file_that_is_not_python_is_left_to_the_run(tmp_path):
    """Running it says what is wrong."""
    assert found(tmp_path, "def f(:\n") == []


def test_a_function_in_a_table_is_read(tmp_path):
    """Models choose among functions by a name in their configuration."""
    code = "def used(x):\n    print(x)\n\ndef unused(x):\n    print(x)\n\nTABLE = {'a': used}\n"
    assert found(tmp_path, code + MODEL.format("TABLE['a'](x)")) == [(2, "print_in_forward")]


def test_a_tensor_is_not_followed_into_a_table(tmp_path):
    """The code does not show which of its functions runs."""
    code = "def used(x):\n    s = x.sum()\n    return float(s)\n\nTABLE = {'a': used}\n"
    assert found(tmp_path, code + MODEL.format("TABLE['a'](x)")) == []
    assert found(tmp_path, code + MODEL.format("used(x)")) == [(3, _READ)]


@pytest.mark.parametrize(
    ("line", "case"),
    [
        ("if x is not None: x = x * 2", "none_check_and_isinstance"),
        ("if isinstance(x, list): x = x[0]", "none_check_and_isinstance"),
        ("p = position_ids.expand(2, -1)", "expand_position_ids"),
    ],
)
def test_a_belief_is_told_apart(tmp_path, catalog_names, line, case):
    """It is no suspicion; the constructor's `print` is another belief."""
    file = tmp_path / "model.py"
    file.write_text(MODEL.format(line))
    told = [(it.line, it.case) for it in beliefs(sources_of(file))]
    assert told == [(7, "print_at_construction"), (11, case)]
    assert {case, "print_at_construction"} <= catalog_names
    assert suspicions(sources_of(file)) == []


def test_the_line_that_a_refused_graph_is_about(tmp_path):
    """Torch names the graph's last line; two candidates are none."""
    code = "def merge(x, keep):\n    x[0] = 1\n    x[keep] = 0\n    return x\n"
    file = tmp_path / "model.py"
    file.write_text(code)
    assert exact_line(file, 4, "boolean_mask_assignment") == 3
    assert exact_line(file, 4, "print_in_forward") == 4
    file.write_text(code.replace("x[0]", "x[keep]"))
    assert exact_line(file, 4, "boolean_mask_assignment") == 4


GROWN = {"list": "list_attribute_that_grows", "dict": "dict_written_in_compiled_code"}
CLASS = """class Net:
    def __init__(self):
        self.seen, self.keys = None, torch.zeros(3)
        self.rows = {}
        self.means: list[float] = []

    def forward(me, x):
        LINE
"""


@pytest.mark.parametrize(
    ("line", "grown"),
    [
        ("me.means.append(x.mean())", "list"),
        ("me.means += [x]", "list"),
        ("me.means = me.means + [x]", "list"),
        ("me.means = [*me.means, x]", "list"),
        ("me.means = me.means + [x]; me.rows.update({len(x): x})", "list dict"),
        ("me.rows[len(x)] = x", "dict"),
        ("me.rows.setdefault(len(x), x)", "dict"),
        ("me.rows = {**me.rows, len(x): x}", "dict"),
        ("me.rows['last'] = x", ""),
        ("me.keys[:, 2] = x", ""),
        ("me.seen.append(x)", ""),
        ("x.means.append(x)", ""),
        ("me.means.append(x); me.means.clear()", ""),
        ("me.means = []; me.means.append(x)", ""),
        ("me.means = (me.means + [x])[-4:]", ""),
        ("me.means = x.means + [x]; me.means.append(x)", ""),
        ("me.means = [*me.means]", ""),
    ],
)
def test_a_list_or_dict_that_grows_is_suspected(tmp_path, catalog_names, line, grown):
    """Only what `__init__` makes empty and no call empties again; a longer copy does not."""
    code = CLASS.replace("LINE", line)
    assert found(tmp_path, code) == sorted((8, GROWN[it]) for it in grown.split())
    assert {*GROWN.values()} <= catalog_names


@pytest.mark.parametrize(
    ("line", "grown"),
    [
        ("seen.append(x)", "list"),
        ("rows[len(x)] = x", "dict"),
        ("global seen; seen = seen + [x]", "list"),
        ("rows['last'] = x", ""),
        ("seen = []; seen.append(x)", ""),
        ("[seen.append(i) for seen in x]", ""),
        ("filled.append(x)", ""),
        ("emptied.append(x)", ""),
    ],
)
def test_what_grows_in_a_module_is_suspected(tmp_path, line, grown):
    """A list or dict of the module, if nothing empties it; no name of the function's own."""
    module = "seen = []\nrows = {}\nfilled = [1]\nemptied = []\n"
    function = "def reset():\n    emptied.clear()\n"
    code = module + function + MODEL.format(line)
    assert found(tmp_path, code) == [(17, GROWN[it]) for it in grown.split()]
    assert found(tmp_path, code + "\nfor x in xs:\n    seen.clear(); rows.clear()\n") == []
    helper = code.replace("def reset():", f"def used(x):\n    {line}\n    return x\ndef reset():")
    helper = helper.replace(f"        {line}\n", "        used(x)\n")
    assert found(tmp_path, helper) == [(6, GROWN[it]) for it in grown.split()]


def test_a_loop_over_experts_leads_to_its_case(tmp_path):
    """And to the op itself."""
    cases = {it for _, it in found(tmp_path, MODEL.format("for i in x.nonzero(): x = x + i"))}
    assert cases == {"experts_looped_over_nonzero", "boolean_mask_read"}


CALLED = """from torch import nn

class Base(BASE):
    def forward(self, x):
        return self.used(x)

class Net(Base):
    def forward(self, x):
        return super().forward(x)

    def used(self, x):
        print(x)

    def unused(self, x):
        print(x)
        return self.unused(self.also_unused(x))

    def also_unused(self, x):
        print(x)
"""


@pytest.mark.parametrize(
    ("base", "more", "lines"),
    [
        ("nn.Module", "", [12]),
        ("nn.Module", "Net().also_unused(1)", [12, 19]),
        ("nn.Module", "    def forward_train(self, x):\n        self.also_unused(x)", [12, 19]),
        ("nn.Module", "getattr(Net(), 'unused')", [12, 15, 19]),
        ("elsewhere.Model", "", [12, 15, 19]),
    ],
)
def test_a_method_that_nothing_calls_is_left_alone(tmp_path, base, more, lines):
    """A base in another package may call any."""
    code = CALLED.replace("BASE", base) + more
    assert found(tmp_path, code) == [(it, "print_in_forward") for it in lines]


USED = """import torch
from torch import nn
from layers import Inner as Part

class Old(nn.Module):
    def forward(self, x):
        return x.item()

@registered
class Kept(nn.Module):
    def forward(self, x):
        return x.item()

class Base(nn.Module):
    def forward(self, x):
        print(x)
        return helper(x)

class Net(Base):
    def __init__(self):
        self.part = Part()

def helper(x):
    print(x)

def compiles(model):
    return torch.compile(model, mode="default", options={})

def example():
    return Net().eval(), []

def other():
    return eval("Old")(), []
"""


def test_only_what_the_target_uses_is_suspected(tmp_path):
    """Its bases, helpers and parts in other files; a call that compiles counts anywhere."""
    for name in ("Inner", "Unused"):
        text = f"class {name}:\n    def forward(self, x):\n        x.item()\n"
        with (tmp_path / "layers.py").open("a") as stream:
            stream.write(text)
    file = tmp_path / "model.py"
    file.write_text(USED)
    sources = sources_of(file)

    def told(factory):
        reached = used(sources, file, factory)
        return [(it.file.name, it.line) for it in suspicions(sources, reached)]

    here = [("model.py", line) for line in (12, 16, 24, 27)]
    assert told("example") == [("layers.py", 3), *here]
    everything = [("layers.py", 3), ("layers.py", 6), ("model.py", 7), *here]
    assert told("other") == everything
    assert told("not_defined_here") == everything
