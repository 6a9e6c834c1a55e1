"""A model, and changes of it beside its fix: cheats, what is named, and what is equal."""

from __future__ import annotations

MODEL = """import torch
from torch import nn
{top}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        {state}

    def forward(self, x):
        {line}
        return {value}


def example():
    {setup}
    return {net}, {calls}{loss}
"""
BROKEN = {
    "top": "",
    "state": "",
    "line": "if x.sum() > 0: x = x * 2",
    "value": "self.layer(x).relu().cumsum(0)",
    "setup": "torch.manual_seed(0)",
    "net": "Net()",
    "calls": "[(torch.randn(n, 4),) for n in (3, 5)]",
    "loss": "",
}
FIX = "x = torch.where(x.sum() > 0, x * 2, x)"
TRAINED = ", lambda y: y.square().mean()"

# What differs between the two forms besides the fix, as fields of each, and what is said of it.
Change = tuple[dict[str, str], dict[str, str], str]
COUNTED = {"state": "self.register_buffer('seen', torch.zeros(4))"}
MEAN = "self.seen.mul_(0.9).add_(x.detach().mean(0))"
UNSEEN = {**COUNTED, "state": "self.register_buffer('seen', torch.zeros(4), persistent=False)"}
BROKEN_MEAN = f"{MEAN}; x = x * 2 if x.sum() > 0 else x"
SAVED = """self.steps = 0
    def get_extra_state(self): return {'steps': self.steps}
    def set_extra_state(self, state): self.steps = state['steps']"""
CACHED = """if self.twice is None: self.twice = self.layer.weight @ self.layer.weight"""
DISABLED = "@torch.compiler.disable\n"
HEAVY = "def heavy(x): return x @ torch.ones(4, 40000) @ torch.ones(40000, 4)"
LIGHT = "\n        for _ in range(70): x = x + 1; x = x * 0.9"
MANY = "\n        ".join(f"if x.sum() > {n}: x = x * 2" for n in range(3)) + LIGHT
MANY_FIXED = "".join(f"x = torch.where(x.sum() > {n}, x * 2, x); " for n in range(3)) + LIGHT
BROAD = "self.layer(x)[:1].expand(16384, 4).repeat(1, 8)"
PATCHED = """
class Patched:
    def __new__(cls):
        Net.forward = torch._dynamo.config.patch({})(Net.forward)
        return Net()
"""
LIMITED = """
def limited(x):
    before = torch._dynamo.config.recompile_limit
    torch._dynamo.config.recompile_limit = 999
    x = torch.where(x.sum() > 0, x * 2, x)
    torch._dynamo.graph_break()
    x = x * 1
    torch._dynamo.config.recompile_limit = before
    return x
"""
STANCE = """net = Net()
    stance = torch.compiler.set_stance('eager_on_recompile'); stance.__exit__(None, None, None)
    disable = torch._dynamo.disable
    net.register_forward_pre_hook(disable(lambda *_: stance.__enter__()))
    net.register_forward_hook(disable(lambda *_: stance.__exit__(None, None, None)))"""
FORGET = """
@torch._dynamo.disable
def forget(*_): torch._dynamo.reset()
"""
COUNTING = "self.layer(x) * self.steps"
SUBSTITUTES = {
    "other results": ({}, {"line": "x = x * 2"}, "it computes something else"),
    "an answer made in set-up": (
        {},
        {"line": "return self.answer[: len(x)]", "setup": "Net.answer = torch.zeros(9, 4)"},
        "it computes something else",
    ),
    "a lost update of a buffer": (
        {**COUNTED, "line": BROKEN_MEAN},
        {"line": FIX},
        "the model's seen differs",
    ),
    "a lost buffer": (
        {**COUNTED, "line": BROKEN_MEAN},
        {"state": "", "line": FIX},
        "loses state that checkpoints keep: seen",
    ),
    "a lost update of a state of one's own": (
        {"top": "", "state": SAVED, "line": "self.steps += 1; x = x * 2 if x.sum() > 0 else x"},
        {"line": FIX},
        r"the model's _extra_state\['steps'\] is 0; before, it is 1",
    ),
    "a branch for larger values": (
        {"line": "if x.max() > 5: x = x * 2"},
        {"line": ""},
        "call 0 with values times (8|100): output differs",
    ),
    "no longer NaN": (
        {"value": "self.layer(x)"},
        {"line": FIX, "value": "self.layer(x).nan_to_num()"},
        "call 0 with a number that is nan: output differs by inf",
    ),
    "what is wrong for one row": (
        {},
        {"line": f"x = x * 3 if len(x) == 1 else {FIX[4:]}"},
        "call 0 with size 1 in dim 0: output differs",
    ),
    "a lost update of a buffer that is not saved, in training": (
        {**UNSEEN, "line": BROKEN_MEAN, "loss": TRAINED},
        {"line": FIX},
        "the model's seen differs",
    ),
    "a buffer with other values": (
        {**COUNTED, "line": BROKEN_MEAN},
        {"line": f"{MEAN}; self.seen.add_(1e6); {FIX}"},
        "the model's seen differs",
    ),
    "a changed argument": (
        {"value": "self.layer(x)"},
        {"line": f"given = x; {FIX}", "value": "self.layer(x) + given.mul_(2) * 0"},
        "argument 0 differs",
    ),
    "small outputs as zeros": (
        {"value": "self.layer(x) * 1e-6"},
        {"line": FIX, "value": "self.layer(x) * 0"},
        "output differs by",
    ),
    "columns of a large output as zeros": (
        {
            "value": BROAD,
            "net": "Net().requires_grad_(False)",
        },
        {"line": FIX, "value": BROAD + " * (torch.arange(32) % 8 == 0)"},
        "output differs by",
    ),
    "small columns as zeros": (
        {"value": "torch.cat([self.layer(x) * 1e-7, self.layer(x)], 1)"},
        {"line": FIX, "value": "torch.cat([self.layer(x) * 0, self.layer(x)], 1)"},
        r"output differs by .* in \[:, \d\]",
    ),
    "a tenth of a gradient": (
        {"value": "self.layer(x) * 0.1", "loss": ", lambda y: y.square().mean() * 1e-3"},
        {"line": f"{FIX}; y = self.layer(x) * 0.1", "value": "y.detach() * 0.9 + y * 0.1"},
        "the gradient of layer.weight differs",
    ),
    "a lost gradient": (
        {
            "loss": TRAINED,
            "value": "self.layer(x) + self.other",
            "state": "self.other = nn.Parameter(torch.ones(4))",
        },
        {"line": FIX, "value": "self.layer(x).detach() + self.other"},
        "the gradient of layer.(bias|weight) is gone",
    ),
    "a lost gradient without a loss": (
        {},
        {"line": FIX, "value": "self.layer(x).detach().relu().cumsum(0)"},
        r"output is float32\[3, 4\]; before, it is float32\[3, 4\] that requires gradients",
    ),
    "another gradient without a loss": (
        {"value": "self.layer(x)"},
        {"line": f"{FIX}; y = self.layer(x)", "value": "y.detach() * 0.9 + y * 0.1"},
        "call 0 in a round of its own: the gradient of layer.weight differs",
    ),
    "another key": (
        {"value": "{'logits': self.layer(x)}"},
        {"line": FIX, "value": "{'scores': self.layer(x)}"},
        "output is dict of scores; before, it is dict of logits",
    ),
    "a tuple of one": (
        {},
        {"line": FIX, "value": "(self.layer(x).relu().cumsum(0),)"},
        r"output is tuple of 1; before, it is float32\[3, 4\]",
    ),
    "another dtype of the output": (
        {"value": "self.layer(x)"},
        {"line": FIX, "value": "self.layer(x).double()"},
        r"output is float64\[3, 4\].*; before, it is float32\[3, 4\]",
    ),
    "what only fits the given dtype": (
        {},
        {"line": f"x = x if x.dtype != torch.float32 else {FIX[4:]}"},
        "in float64: output differs",
    ),
    "what only fits the given sizes": (
        {},
        {"line": f"x = x * 3 if len(x) > 6 else {FIX[4:]}"},
        "call 0 with size 11 in place of 3: output differs",
    ),
    "what raises for other sizes": (
        {},
        {"line": f"assert len(x) < 9, 'too many'; {FIX}"},
        "call 0 with size 11 in place of 3 raises AssertionError: too many",
    ),
    "what only fits dtypes other than float16": (
        {},
        {"line": f"x = x * 3 if x.dtype == torch.float16 else {FIX[4:]}"},
        "in float16: output differs",
    ),
    "what only fits the given strides": (
        {},
        {"line": f"{FIX}; x = x.as_strided((len(x), 4), (4, 1))"},
        "call 0 with tensors of other strides: output differs",
    ),
    "a mask of the given tokens": (
        {
            "calls": "[(torch.tensor([[1, 2, 0, 3]]),)] * 2",
            "line": "there = x != 0; x = x.float()\n        if x.sum() > 0: x = x * 2",
            "value": "self.layer(x) * there",
        },
        {
            "line": f"x = x.float(); {FIX}",
            "value": "self.layer(x) * torch.tensor([[1, 1, 0, 1]])",
        },
        "call 0 with its whole numbers reversed: output differs",
    ),
    "another array of NumPy": (
        {"value": "self.layer(x).detach().numpy()"},
        {"line": FIX, "value": "self.layer(x).detach().numpy() * 2"},
        "output differs by",
    ),
    "a lost gradient of an input": (
        {},
        {"line": f"x = x.detach(); {FIX}"},
        "inputs that require gradients: the gradient of argument 0 is gone",
    ),
    "weights that the first call keeps": (
        {
            "value": "x @ (self.layer.weight @ self.layer.weight)",
            "net": "Net().requires_grad_(False)",
        },
        {
            "state": "self.twice = None",
            "line": f"{FIX}\n        {CACHED}",
            "value": "x @ self.twice",
        },
        "call 0 with parameters changed in place: output differs",
    ),
    "other results without compiling": (
        {},
        {"line": f"x = {FIX[4:]} if torch.compiler.is_compiling() else x * 7"},
        "without compiling, call 0: output differs",
    ),
    "other results in evaluation mode": (
        {},
        {"line": f"x = {FIX[4:]} if self.training else x * 7"},
        "call 0 in evaluation mode: output differs",
    ),
    "a dropout that evaluation does not end": (
        {"value": "nn.functional.dropout(self.layer(x), 0.5, self.training)", "loss": TRAINED},
        {"line": FIX, "value": "nn.functional.dropout(self.layer(x), 0.5, True)"},
        "call 0 in evaluation mode: output differs",
    ),
    "work moved into set-up": (
        {"value": "self.layer(x)", "net": "Net().requires_grad_(False)"},
        {
            "top": "def prepare(net, *_): net.turned = net.layer.weight.t().contiguous()",
            "state": "self.register_load_state_dict_post_hook(prepare)",
            "line": FIX,
            "value": "x @ self.turned + self.layer.bias",
        },
        "with parameters changed in place: output differs",
    ),
}
HIDDEN = {
    "disable": (
        {},
        {
            "top": "@torch.compiler.disable\ndef grown(x): return x * 2 if x.sum() > 0 else x\n",
            "line": "x = grown(x)",
        },
        "nothing compiles better|stopped compiling",
    ),
    "the whole model disabled": (
        {},
        {"setup": "Net.forward = torch.compiler.disable(Net.forward)"},
        "stopped compiling",
    ),
    "the heaviest op of many disabled": (
        {"top": HEAVY, "line": MANY, "value": "heavy(self.layer(x))"},
        {"top": DISABLED + HEAVY, "line": MANY_FIXED},
        "stopped compiling: 99.* of the work is done outside of graphs, 0.0% was",
    ),
    "errors suppressed": (
        {},
        {"line": FIX, "setup": "torch._dynamo.config.suppress_errors = True"},
        "suppress_errors to True",
    ),
    "a higher limit": (
        {},
        {"line": FIX, "setup": "torch._dynamo.config.recompile_limit = 999"},
        "recompile_limit to 999",
    ),
    "a higher limit around the forward": (
        {},
        {"line": FIX, "net": "Patched()", "top": PATCHED.format("recompile_limit=999")},
        "recompile_limit to 999",
    ),
    "a higher limit within the forward": (
        {},
        {
            "line": "x = limited(x)",
            "top": LIMITED,
            "value": "self.layer(x).relu().cumsum(0)",
        },
        "recompile_limit to 999",
    ),
    "another stance around the forward": (
        {},
        {"line": FIX, "setup": STANCE, "net": "net"},
        "stance to eager_on_recompile",
    ),
    "recompilations that are forgotten": (
        {"state": "self.steps = 0", "line": "self.steps += 1", "value": COUNTING},
        {
            "state": "self.steps = 0; self.register_forward_hook(forget)",
            "top": FORGET,
            "line": "self.steps += 1",
            "value": COUNTING,
        },
        r"calls torch._dynamo.reset, which hides trouble",
    ),
    "a compiler that is told to do nothing": (
        {},
        {"line": FIX, "net": "torch.compile(Net(), disable=True)"},
        "it passes disable=True to torch.compile",
    ),
    "much more work": (
        {},
        {"line": f"{FIX}; z = torch.ones(400, 400); x = x + (z @ z).mean() * 0"},
        "times the work of before",
    ),
    "nothing": ({}, {"top": "# nothing changed"}, "nothing compiles better than before"),
    "other calls": (
        {},
        {"calls": "[(torch.full((3, 4), -1.0),)]"},
        "nothing compiles better than before",
    ),
}
CHEATS: dict[str, Change] = {**SUBSTITUTES, **HIDDEN}

OWN = """from typing import NamedTuple
class {name}(NamedTuple):
    loss: torch.Tensor
    scores: torch.Tensor
"""
NAMED: dict[str, Change] = {
    "dynamic=True": (
        {},
        {"line": FIX, "setup": "net = Net(); net.compile(dynamic=True)", "net": "net"},
        "passes dynamic=True to torch.compile; 1 size varies between the calls",
    ),
    "a backend of its own": (
        {},
        {"line": FIX, "setup": "net = Net(); net.compile(backend='eager')", "net": "net"},
        "passes backend='eager' to torch.compile; here it was compiled without",
    ),
    "dynamic=True around the model": (
        {},
        {"line": FIX, "net": "torch.compile(Net(), dynamic=True)"},
        "passes dynamic=True to torch.compile; 1 size varies between the calls",
    ),
    "a setting": (
        {},
        {"line": FIX, "setup": "torch._dynamo.config.assume_static_by_default = False"},
        "sets torch._dynamo.config.assume_static_by_default to False",
    ),
    "a setting of Inductor": (
        {},
        {
            "line": FIX,
            "setup": "import torch._inductor; torch._inductor.config.max_autotune = True",
        },
        "sets torch._inductor.config.max_autotune to True",
    ),
    "another precision": (
        {},
        {"line": FIX, "setup": "torch.set_float32_matmul_precision('medium')"},
        "sets torch's float32_matmul_precision to 'medium'",
    ),
    "keys in another order": (
        {"value": "{'a': self.layer(x), 'b': x}"},
        {"line": FIX, "value": "{'b': x, 'a': self.layer(x)}"},
        "output has its keys in the order 'b', 'a'; before, it is 'a', 'b'",
    ),
    "an output that the next call overwrites": (
        {"value": "self.layer(x).detach()"},
        {
            "state": "self.kept = [torch.zeros(64, 4)]",
            "line": f"{FIX}; made = self.kept[0][: len(x)]",
            "value": "made.copy_(self.layer(x).detach())",
        },
        r"output shares memory with the model's kept\[0\]; before, it does not",
    ),
    "other random numbers": (
        {},
        {"line": f"{FIX}; torch.rand(3)"},
        "it takes other random numbers than before",
    ),
    "an exception less": (
        {"line": "assert x.max() < 50, 'large'\n        if x.sum() > 0: x = x * 2"},
        {"line": FIX},
        "call 0 with values times 100: it no longer raises AssertionError: large",
    ),
    "other results in training mode": (
        {"net": "Net().eval()"},
        {"line": f"x = x * 7 if self.training else {FIX[4:]}"},
        "call 0 in training mode: output differs",
    ),
    "a buffer in place of an int": (
        {"state": "self.steps = 0", "line": f"self.steps += 1; {FIX}"},
        {
            "state": "self.register_buffer('steps', torch.zeros((), dtype=torch.long))",
            "line": f"self.steps += 1; {FIX}",
        },
        r"it adds buffers: steps \(was a plain attribute\)",
    ),
    "a buffer that checkpoints lack": (
        {"state": "self.steps = 0", "line": f"self.steps += 1; {FIX}"},
        {
            "state": "self.register_buffer('steps', torch.zeros((), dtype=torch.long))",
            "line": f"self.steps += 1; {FIX}",
        },
        "old checkpoints no longer load with strict=True, because of steps",
    ),
    "a buffer less": (
        {**UNSEEN, "line": BROKEN_MEAN},
        {"state": "", "line": FIX},
        "it no longer has buffers: seen",
    ),
    "an attribute that is no longer changed": (
        {"state": "self.steps = 0", "line": f"self.steps += 1; {FIX}"},
        {"line": FIX},
        "the calls leave another value in the attribute steps",
    ),
    "an operator of one's own": (
        {"value": "self.layer(x).detach()"},
        {
            "top": "@torch.library.custom_op('mine::whole', mutates_args=())\n"
            "def whole(x: torch.Tensor) -> torch.Tensor:\n"
            "    return x * 2 if x.sum() > 0 else x * 1\n"
            "@whole.register_fake\n"
            "def _(x): return torch.empty_like(x)\n",
            "line": "x = whole(x)",
        },
        "no compiler looks into operators of its own: mine::whole",
    ),
    "more work": (
        {"calls": "[(torch.randn(n, 4),) for n in (29999, 29998)]"},
        {"line": f"{FIX}; y = x @ self.layer.weight.t() * 0", "value": BROKEN["value"] + " + y"},
        "times the work of before",
    ),
    "NaN where it was left out": (
        {"value": "self.layer(x[:-1].sum(0))"},
        {
            "line": FIX,
            "value": "self.layer((x * (torch.arange(len(x)) + 1 < len(x))[:, None]).sum(0))",
        },
        "call 0 with a number that is nan: output differs by inf",
    ),
    "an output that is a copy": (
        {"value": "(self.layer(x), given)", "line": "given = x; x = x * 2 if x.sum() > 0 else x"},
        {"line": f"given = x; {FIX}", "value": "(self.layer(x), given.clone())"},
        r"output\[1\] no longer shares memory with argument 0",
    ),
    "what raises for a size that never varies": (
        {"calls": "[(torch.randn(5, 4),), (torch.randn(5, 4),)]"},
        {"line": f"assert len(x) > 1; {FIX}"},
        "call 0 with size 1 in dim 0 raises AssertionError",
    ),
    "what raises in another dtype": (
        {},
        {"line": f"assert x.dtype != torch.bfloat16; {FIX}"},
        "call 0 in bfloat16 raises AssertionError",
    ),
}
EQUAL: dict[str, Change] = {
    "another order of arithmetic before a normalization": (
        # Its gradient for the bias is nothing but rounding.
        {
            "state": "self.norm = nn.BatchNorm1d(4)",
            "value": "self.norm(self.layer(x))",
            "loss": TRAINED,
        },
        {"line": FIX, "value": "self.norm(x @ self.layer.weight.t() + self.layer.bias)"},
        "",
    ),
    "a compiled model": ({}, {"line": FIX, "net": "torch.compile(Net())"}, ""),
    "both compiled": ({"net": "torch.compile(Net())", "loss": TRAINED}, {"line": FIX}, ""),
    "blocks compiled": (
        {},
        {"line": FIX, "setup": "net = Net(); net.layer.compile()", "net": "net"},
        "",
    ),
    "a class of the same fields": (
        {"top": OWN.format(name="Out"), "value": "Out(x.sum(), self.layer(x))"},
        {"top": OWN.format(name="Output"), "line": FIX, "value": "Output(x.sum(), self.layer(x))"},
        "",
    ),
    "a state of one's own": (
        {"state": SAVED, "line": "self.steps = 1; x = x * 2 if x.sum() > 0 else x"},
        {"line": f"self.steps = 1; {FIX}"},
        "",
    ),
    "random numbers": (
        {"value": "nn.functional.dropout(self.layer(x), 0.5, True)", "loss": TRAINED},
        {"line": FIX},
        "",
    ),
}
