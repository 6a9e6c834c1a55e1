"""What a passage claims that torch can answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators.audit.claims import Claim, claims_of
from validators.audit.reading import Kind, Passage


def claimed(kind: Kind, text: str) -> list[Claim]:
    """The claims of one passage."""
    return [it for _, it in claims_of(Passage(Path("a.md"), 1, kind, text, text))]


def test_code_is_read_through_its_imports() -> None:
    """The longest name of each expression, and the keywords of each call."""
    code = "from torch import _dynamo as d\nd.config.x.y = 1\nimport torch\ntorch.compile(f, m=1)\n"
    assert set(claimed("python", code)) == {
        Claim("name", "torch._dynamo"),
        Claim("name", "torch._dynamo.config.x.y"),
        Claim("name", "torch.compile"),
        Claim("keyword", "torch.compile", "m"),
    }


def test_modes_and_options_of_compile_are_claims() -> None:
    """Of `torch.compile` only."""
    code = 'import torch\ntorch.compile(f, mode="fast", options={"a.b": 1})\ng(mode="slow")\n'
    assert {Claim("mode", "fast"), Claim("option", "a.b")} <= set(claimed("python", code))
    assert not any("slow" in it.subject for it in claimed("python", code))


@pytest.mark.parametrize(
    "code",
    [
        'if hasattr(torch._dynamo, "x"):\n    torch._dynamo.x()\n',
        "try:\n    torch._dynamo.x()\nexcept AttributeError:\n    pass\n",
    ],
)
def test_code_that_expects_an_absence_claims_nothing(code: str) -> None:
    """What it asks for may be absent."""
    assert Claim("name", "torch._dynamo.x") not in claimed("python", code)


def test_a_shell_line_names_logs_and_variables() -> None:
    """The value of TORCH_LOGS, with or without quotes."""
    text = 'TORCH_LOGS="a,+b" TORCHINDUCTOR_X=1 python a.py\nTORCH_LOGS=c python a.py\n'
    found = claimed("shell", text)
    assert found == [
        Claim("logs", "a,+b"),
        Claim("variable", "TORCHINDUCTOR_X"),
        Claim("logs", "c"),
    ]


def test_a_sentence_claims_what_it_has_in_code() -> None:
    """Nothing, if it denies something."""
    assert claimed("prose", "Call `torch._dynamo.x` first.") == [Claim("name", "torch._dynamo.x")]
    assert claimed("prose", "Torch has no `torch._dynamo.x`.") == []
    assert claimed("prose", "See torch._dynamo.x for more.") == []
