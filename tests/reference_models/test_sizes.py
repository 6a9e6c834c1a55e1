"""What the models' README says of their sizes and forms."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import torch

from reference_models import gpt, toto, vlm

README = Path(gpt.__file__).with_name("README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "config", "model"),
    [
        (vlm, vlm.VLMConfig, vlm.VisionLanguageModel),
        (toto, toto.TotoConfig, toto.TimeSeriesDecoder),
        (gpt, gpt.GPTConfig, gpt.GPT),
    ],
)
def test_readme_tells_parameters_and_forms(module: Any, config: Any, model: Any) -> None:
    """The row of each model holds its three parameter counts and every field that names a form."""
    file = Path(module.__file__).name
    row = next(line for line in README.splitlines() if line.startswith(f"| [`{file}`]"))
    _, _, _, *counts, forms, _ = [cell.strip() for cell in row.split("|")]
    with torch.device("meta"):
        sizes = [model(make()) for make in (config.tiny, config.debug, config.large)]
    assert counts == [f"{module.parameter_count(size):,}" for size in sizes]
    literals = [name for name, hint in get_type_hints(config).items() if get_args(hint)]
    assert forms == ", ".join(f"`{name}`" for name in literals)
