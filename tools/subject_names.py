"""Adds the names of this interpreter's torch to `playbooks/subject_names.txt`.

    PYTHON tools/subject_names.py

A page must treat those of them that its `asked` lines use: `python -m validators check` sees to
that. This needs torch and nothing of ours, so each release's own interpreter can add its names.
"""

from __future__ import annotations

import importlib
import re
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[1] / "playbooks" / "subject_names.txt"
MODULES = (
    "torch",
    "torch._dynamo",
    "torch._dynamo.exc",
    "torch._inductor.exc",
    "torch.amp",
    "torch.autograd",
    "torch.backends.cuda",
    "torch.backends.cudnn",
    "torch.compiler",
    "torch.cuda",
    "torch.distributed",
    "torch.distributed.fsdp",
    "torch.export",
    "torch.fft",
    "torch.func",
    "torch.fx",
    "torch.fx.experimental.symbolic_shapes",
    "torch.jit",
    "torch.library",
    "torch.linalg",
    "torch.nn",
    "torch.nn.attention",
    "torch.nn.attention.flex_attention",
    "torch.nn.functional",
    "torch.nn.parallel",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.random",
    "torch.special",
    "torch.utils.checkpoint",
    "torch.utils.data",
)
CLASSES = ("torch.Tensor", "torch.nn.Module", "torch.optim.Optimizer")
CONFIGS = (
    "torch._dynamo.config",
    "torch._functorch.config",
    "torch._inductor.config",
    "torch.fx.experimental._config",
)
TELLING = re.compile(
    r"_?[a-z]\w*[a-z0-9]_[a-z0-9]\w*|[a-z0-9]+_|[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w*|[A-Z]{4,}"
)
"""Names that are not ordinary words, too: snake case, camel case, in-place methods, capitals."""


def names() -> Iterator[str]:
    """The names of torch's functions, classes, methods and options."""
    for module in map(importlib.import_module, MODULES):
        yield from (name for name, value in vars(module).items() if _is_of_torch(value))
    for place in CLASSES:
        module, _, name = place.rpartition(".")
        yield from dir(getattr(importlib.import_module(module), name))
    for config in map(importlib.import_module, CONFIGS):
        yield from (option.rpartition(".")[2] for option in config._config)


def _is_of_torch(value: Any) -> bool:
    if isinstance(value, types.ModuleType):
        return False
    return str(getattr(value, "__module__", None) or "torch").startswith("torch")


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")  # of names that torch deprecates
    known = set(FILE.read_text("utf-8").split()) if FILE.exists() else set()
    known |= {name for name in names() if TELLING.fullmatch(name)}
    FILE.write_text("".join(f"{name}\n" for name in sorted(known)), "utf-8")


if __name__ == "__main__":
    main()
