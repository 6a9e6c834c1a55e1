"""Messages, counters and marks."""

from __future__ import annotations

import pytest

from tests.validators.patch.conftest import CLASS

GUARD = "if not torch.compiler.is_compiling():"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('print("a", x.max())  # why', f'{GUARD}\n    print("a", x.max())  # why'),
        (
            '# said\nlogger.info("a %s", len(x))',
            f'# said\n{GUARD}\n    logger.info("a %s", len(x))',
        ),
        ('self.log.debug(f"{x}")', f'{GUARD}\n    self.log.debug(f"{{x}}")'),
        (
            'if x.isnan().any():\n    warnings.warn("NaN")',
            'if not torch.compiler.is_compiling() and x.isnan().any():\n    warnings.warn("NaN")',
        ),
    ],
)
def test_messages_are_for_eager_mode(in_forward, before, after):
    """Guarded with the test that leads to them, if that is all it does."""
    assert in_forward("messages", before) == (after, [])
    assert in_forward("messages", after)[0] == after


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print(self.next())", "the message does more than tell: self.next()"),
        ("print(a := x)", "the message does more than tell: a := x"),
        ("x = x + 1; print(x)", "it shares its line"),
    ],
)
def test_messages_that_do_more_stay(in_forward, body, reason):
    """Compiled code must still do it."""
    after, left = in_forward("messages", body)
    assert after == body
    assert len(left) == 1 and reason in left[0], left


@pytest.mark.parametrize(
    "body",
    ["log.append(x)", "self.log.clear()", "logger.setLevel(10)", "warnings.simplefilter('error')"],
)
def test_what_changes_a_logger_is_no_message(in_forward, body):
    """A list may be called `log`."""
    assert in_forward("messages", body) == (body, [])


@pytest.mark.parametrize(
    ("count", "assigned"),
    [
        ("self.steps += 1", "self.steps = self.steps + 1"),
        (
            "self.steps += 1; self.steps -= 2",
            "self.steps = self.steps + 1; self.steps = self.steps - 2",
        ),
        (
            "self.steps += 1\n        self.steps *= 2 - 3",
            "self.steps = self.steps + 1\n        self.steps = self.steps * (2 - 3)",
        ),
    ],
)
def test_a_counter_becomes_a_buffer(apply, count, assigned):
    """Outside of the state dict, whose keys stay; and it counts out of place, for gradients."""
    code = CLASS.format(body=f"        {count}\n        x = x * self.steps / 100")
    after, left = apply("counters", code)
    made = 'self.register_buffer("steps", torch.tensor(0), persistent=False)'
    assert after == code.replace("self.steps = 0", made).replace(count, assigned)
    assert left == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("if self.steps > 3: x = x * 2", "needs self.steps as a Python number"),
        ("x = x[self.steps]", "needs self.steps as a Python number"),
        ("x = x + f(self.steps)", "needs self.steps as a Python number"),
        ("x = x * (self.steps % 2)", "needs self.steps as a Python number"),
        ("x = x * other.steps", "uses .steps from outside"),
        ("self.steps = 0", "does not start as one int"),
    ],
)
def test_a_counter_that_must_be_a_number_stays(apply, line, reason):
    """With a reason."""
    code = CLASS.format(body=f"        self.steps += 1\n        {line}")
    after, left = apply("counters", code)
    assert after == code
    assert len(left) == 1 and reason in left[0], left


OTHER = """

class {}:
    def __init__(self):
        self.steps = 3

    def forward(self, x):
        return self.steps > 2
"""


@pytest.mark.parametrize(
    ("other", "left"), [("Other(nn.Module)", 0), ("Sub(Net)", 1), ("Deep(Sub)", 1), ("Net", 1)]
)
def test_the_counter_of_another_class_is_its_own(apply, other, left):
    """Unless objects of one class may be objects of the other."""
    code = CLASS.format(body="        self.steps += 1\n        x = x * self.steps / 100")
    code += "\n\nclass Sub(Net):\n    pass\n" if other == "Deep(Sub)" else ""
    after, reasons = apply("counters", code + OTHER.format(other))
    assert len(reasons) == left
    assert ("register_buffer" in after) == (not left)


def test_a_mark_goes(in_forward):
    """From compiled code, where it raises; `mark_static` may stay."""
    assert in_forward("marks", "torch._dynamo.mark_dynamic(x, 0)\nx = x + 1") == ("x = x + 1", [])
    static = "torch._dynamo.mark_static(x, 0)"
    assert in_forward("marks", static) == (static, [])


def test_a_file_without_torch_is_left(apply):
    """What a rule writes needs the name."""
    after, left = apply("messages", "def f(x):\n    print(x)\n")
    assert left == ["the file does not import torch under its own name"]
    assert after == "def f(x):\n    print(x)\n"
