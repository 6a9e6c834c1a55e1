"""Only the source that a name needs is taken."""

from __future__ import annotations

import pytest

from validators.repro.source import Inextricable, extracted

HELPERS = """import math

SCALE = math.pi


def scaled(x):
    return x * SCALE


def unused(x):
    return x
"""
MODEL = """from __future__ import annotations

import json
import torch
from torch import nn
from helpers import scaled

LIMIT = 3


@torch.library.custom_op("lib::op", mutates_args=())
def op(x):
    return x


@op.register_fake
def _(x):
    return x


class Base(nn.Module):
    limit = LIMIT


class Block(Base):
    def forward(self, x):
        return scaled(op(x))


class Other(nn.Module):
    def forward(self, x):
        return json.dumps(x)


if __name__ == "__main__":
    print(Block())
"""


@pytest.fixture
def files(tmp_path):
    """Two modules of a user's own."""
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "helpers.py").write_text(HELPERS)
    return {it: str(tmp_path / f"{it}.py") for it in ("model", "helpers")}


def test_a_class_comes_with_all_it_needs_and_nothing_else(files):
    """From both modules, in an order that runs."""
    found = extracted(files, [("model", "Block")])
    text = "\n".join([*found.imports, *found.code])
    for taken in ("import math", "SCALE =", "def scaled", "LIMIT = 3", "class Base", "class Block"):
        assert taken in text
    for left in ("json", "class Other", "def unused", "__main__", "helpers"):
        assert left not in text
    assert text.index("def scaled") < text.index("class Base") < text.index("class Block")
    compile(text, "repro.py", "exec")


def test_the_registration_of_an_operator_is_kept(files):
    """Nothing names it, and without it the operator is another."""
    found = extracted(files, [("model", "Block")])
    assert any("@op.register_fake" in it for it in found.code)


def test_an_installed_module_is_imported(files):
    """Its source stays where it is."""
    found = extracted(files, [("torchvision.ops", "nms")])
    assert found.imports == ["from torchvision.ops import nms"]
    assert found.code == []


@pytest.mark.parametrize(
    "line", ["import helpers", "from helpers import scaled as s", "from helpers import *"]
)
def test_an_import_that_cannot_be_copied_is_refused(files, tmp_path, line):
    """A copy of the whole files is what remains."""
    model = f"{line}\n\n\ndef f(x):\n    return helpers, s, scaled\n"
    (tmp_path / "model.py").write_text(model)
    with pytest.raises(Inextricable):
        extracted(files, [("model", "f")])


def test_names_that_clash_are_refused(files, tmp_path):
    """Two modules may each have a function of one name."""
    helpers = "def op(x):\n    return x\n\n\ndef scaled(x):\n    return op(x)\n"
    (tmp_path / "helpers.py").write_text(helpers)
    with pytest.raises(Inextricable, match="op is defined in"):
        extracted(files, [("model", "Block")])
