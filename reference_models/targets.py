"""The reference models as targets: `python -m validators diagnose vlm`.

Each function returns a model, example calls of two sizes, and a loss where it trains. The forms of
`*_original` are those that the source documents began with.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn

from reference_models import gpt as gpts
from reference_models import toto as totos
from reference_models import vlm as vlms

Target = tuple[nn.Module, list[tuple[Any, ...]], Callable[[Any], Tensor]]


def gpt() -> Target:
    """A 12-block GPT, trained on two batch sizes."""
    return _trained(gpts, gpts.GPTConfig.debug(n_blocks=12))


def vlm() -> Target:
    """The vision-language model in its compiler-friendly forms, its sizes marked as dynamic."""
    config = vlms.VLMConfig.tiny()
    batches = _vlm_batches(config)
    for batch in batches:
        for tensor in batch:
            torch._dynamo.mark_dynamic(tensor, 0)
        for tensor in (batch.input_ids, batch.attention_mask, batch.targets):
            torch._dynamo.mark_dynamic(tensor, 1)
    return vlms.make_model(config), [tuple(it) for it in batches], _loss


def vlm_original() -> Target:
    """The vision-language model as the source report found it: images come as lists of lists."""
    config = vlms.VLMConfig.tiny(
        rotary="branch",
        image_merge="masked_assign",
        position_ids="expand",
        is_causal="symbool",
        image_token="lookup",
        images="list_disabled",
    )
    calls = [
        (it.input_ids, [[image[None]] for image in it.images], None, it.targets)
        for it in _vlm_batches(config)
    ]
    return vlms.make_model(config), calls, _loss


def _vlm_batches(config: vlms.VLMConfig) -> list[vlms.Batch]:
    """Two batches that differ in the number of sequences and in their length."""
    return [vlms.make_batch(config, B, config.seq_len + extra) for B, extra in ((2, 8), (3, 20))]


def toto() -> Target:
    """The time-series decoder, trained on two batch sizes."""
    return _trained(totos, totos.TotoConfig.tiny())


def toto_original() -> tuple[nn.Module, list[tuple[Any, ...]]]:
    """The time-series decoder in generation, its cache indices in a Python list."""
    config = totos.TotoConfig.tiny(cache="index_list")
    decoder = _Decoder(config, steps=4)
    context_BVTP = decoder.model.patch(totos.make_batch(config).series)
    return decoder, [(context_BVTP,), *[(context_BVTP[:, :, -1:],)] * 3]


class _Decoder(nn.Module):
    """A decoder that keeps its caches; each call decodes the patches that it is given."""

    def __init__(self, config: totos.TotoConfig, steps: int) -> None:
        super().__init__()
        self.model = totos.make_model(config)
        B, V, T = config.batch_size, config.variates, config.patches
        self.caches = self.model.new_caches(B, V, T + steps)

    @torch.no_grad()
    def forward(self, given_BVTP: Tensor) -> Tensor:
        return self.model.next_patches(given_BVTP, self.caches)


def _trained(models: ModuleType, config: Any) -> Target:
    """A model of one of our files, with two batch sizes and its own loss."""
    calls = [tuple(models.make_batch(config, batch_size=size)) for size in (2, 3)]
    return models.make_model(config), calls, _loss


def _loss(output: Any) -> Tensor:
    loss: Tensor = output[1]
    return loss
