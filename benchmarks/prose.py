"""Claims and pages for synthetic cases, as long and as full of names as real ones."""

from __future__ import annotations

import random

_SETTINGS = (
    "In the default configuration",
    "With `dynamic=True`",
    'In `mode="reduce-overhead"`',
    "With `fullgraph=True` and capture of scalar outputs turned off",
)
_SUBJECTS = (
    "a Python `if` on a tensor in the rotary embedding",
    "a KV cache that grows by `torch.cat` in every decoding step",
    "an optional attention mask that is `None` in every second call",
    "a `torch.Tensor.item()` whose value sizes the next allocation",
)
_EFFECTS = (
    "breaks the graph once in each layer, where `torch.where` keeps it whole",
    "recompiles for every new length until `torch._dynamo.config.recompile_limit` is hit",
    "makes CUDA graphs skip the graph, for it mutates one of its inputs",
    "doubles the number of ops that Inductor traces, while the outputs stay equal",
)
_SENTENCES = (
    "The log names the line and says little of its cause.",
    "Dynamo assumes that a size is neither 0 nor 1, and specializes where it is.",
    "The guard is checked before each call, so the first call of every new shape pays for it.",
    "What looks guilty is the stride of an expanded tensor, which no guard mentions.",
    "Marking the dim with `torch._dynamo.mark_dynamic` moves the cost to the first call.",
    "A resume function is compiled like any other frame, and the mutation runs inside of it.",
    "The price is one more graph on either side, and no fusion across the break.",
    "On the reference model's decoder every layer shows it, and layers add up.",
    "A compiled region that holds the whole step traces each layer again.",
    "If the shape rarely varies, one extra compile may be the better bargain.",
    "The verdict would change if sizes were not specialized by default.",
    "Nothing of this is visible in `torch.profiler`, which sees kernels only.",
    "`TORCH_LOGS=recompiles,graph_breaks` prints the guard and the frame that it belongs to.",
    "Inputs of a graph are guarded on strides, values built within are not.",
)
_CODE = """\
```python
@torch.compiler.disable
def append(cache_BHTD, x_BHTD, position):
    cache_BHTD.index_copy_(2, position, x_BHTD)
```
"""
_TABLE = """\
| form | graphs | recompiles |
|---|---|---|
| `expand` | 3 | 2 |
| `repeat` | 3 | 2 |
"""


def claim_of(choice: random.Random, index: int) -> str:
    """One falsifiable sentence that no other index yields."""
    parts = (choice.choice(_SETTINGS), choice.choice(_SUBJECTS), choice.choice(_EFFECTS))
    return f"{parts[0]}, {parts[1]} {parts[2]} (layer {index})."


def body_of(choice: random.Random, name: str, cited: list[str], figure: str) -> str:
    """The page below the front matter: a title and the four sections."""
    neighbours = " and ".join(f"`case:{other}`" for other in cited)
    table = f"\n{_TABLE}" if choice.random() < 0.3 else ""
    return f"""\
# {name.replace("_", " ").capitalize()}

## Symptom

{_paragraph(choice, 4)} Here the step runs {figure} ops.

## Why

{_paragraph(choice, 4)}

{_paragraph(choice, 2)} Its neighbours are {neighbours}.
{table}
## Remedy

{_paragraph(choice, 2)}

{_CODE}
{_paragraph(choice, 4)}

## How to tell

{_paragraph(choice, 2)}
"""


def _paragraph(choice: random.Random, sentences: int) -> str:
    """A paragraph of so many sentences, in lines as wide as those of pages."""
    import textwrap

    return textwrap.fill(" ".join(choice.sample(_SENTENCES, sentences)), 100)
