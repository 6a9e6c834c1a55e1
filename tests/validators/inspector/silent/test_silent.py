"""What a silent error computes, with backends that compute something else."""

from __future__ import annotations

import pytest
import torch

from validators.inspector.silent.computed import silent


@pytest.fixture
def found(tmp_path):
    """What is found out about a program, which is given as text."""

    def ask(text):
        file = tmp_path / "program.py"
        file.write_text(text, encoding="utf-8")
        return silent({"target": f"{file}:call", "cache": str(tmp_path / "cache")})

    return ask


WRONG = """
import torch

def doubled(graph, _inputs):
    return lambda *args: tuple(it * 2 for it in graph.forward(*args))

compile = {"backend": doubled}

def inputs():
    return [(torch.ones(3),), (torch.ones(4),)]

def call(x):
    return x + 1

def instead(x):
    return (x + 1) / 2
"""


def test_a_wrong_result_is_told(found):
    """Where it is, and that the workaround gives eager mode's result."""
    told = found(WRONG)
    assert (told["verdict"], told["instead"]) == ("wrong", "equal")
    assert told["says"].startswith("call 1: ")


def test_what_else_a_program_does(found):
    """It is right, or raises, compiled or in eager mode, too."""
    right = WRONG.replace("it * 2", "it").replace("/ 2", "* 1")
    assert found(right) == {"verdict": "right", "says": "", "instead": "equal"}
    raises = WRONG.replace("it * 2", "1 / 0")
    told = found(raises)
    assert (told["verdict"], told["instead"]) == ("raises", "raises")
    assert "ZeroDivisionError" in told["says"] or "division by zero" in told["says"]
    assert found(WRONG.replace("x + 1\n\ndef", "x + y\n\ndef"))["verdict"] == "eager raises"


def test_an_object_is_not_its_copy(found):
    """The workaround is right: only copies of the arguments tell it from the program."""
    told = found("""
import torch

compile = {"backend": "eager"}
one, other = torch.nn.Identity(), torch.nn.Identity()
one.n, other.n = 1, 2

def inputs():
    return torch.ones(2), one

def call(x, module):
    torch._dynamo.graph_break()
    return x + 1 if module is one else x - 1

def instead(x, module):
    return x + 1 if module.n == 1 else x - 1
""")
    assert told == {"verdict": "right", "says": "", "instead": "equal"}


def test_a_result_that_shares_memory_is_told(found):
    """By what it shares, not by a number."""
    told = found(
        WRONG.replace("it * 2 for it in graph.forward(*args)", "args[0] for _ in range(1)")
    )
    assert (
        told["says"] == "call 1: output shares memory with argument 0; in eager mode, it does not"
    )


def test_a_module_s_gradients_are_compared(found):
    """Those of arguments that ask for some; the workaround starts with the same parameters."""
    text = """
import torch

def halved(graph, _inputs):
    return lambda *args: tuple(it * 0.5 + (it * 0.5).detach() for it in graph.forward(*args))

compile = {"backend": halved}

def inputs():
    return (torch.ones(2, requires_grad=True),)

class call(torch.nn.Linear):
    def __init__(self):
        super().__init__(2, 2)

instead = call
"""
    told = found(text)
    assert told["verdict"] == "wrong" and "gradient" in told["says"]
    assert told["instead"] == "wrong"


def test_settings_hold(found):
    """Those of torch that the program names, while it runs."""
    text = """
import torch

settings = {"torch._dynamo.config.capture_scalar_outputs": True}
compile = {"backend": "eager", "fullgraph": True}

def inputs():
    return (torch.tensor(3),)

def call(n):
    return torch.ones(4) * n.item()
"""
    before = torch._dynamo.config.capture_scalar_outputs
    assert found(text)["verdict"] == "right"
    assert torch._dynamo.config.capture_scalar_outputs == before
