"""A quantized autoencoder whose codebook follows moving averages, of vector-quantize-pytorch."""

import copy

import torch
from torch import Tensor
from vector_quantize_pytorch import VectorQuantize
from vector_quantize_pytorch.vector_quantize_pytorch import Codebook as PlainCodebook

OPTIONS = {"dim": 32, "codebook_size": 64, "kmeans_init": True, "threshold_ema_dead_code": 2}


class Net(torch.nn.Module):
    """An autoencoder with a quantized code."""

    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(16, 32)
        self.quantize = VectorQuantize(**OPTIONS)
        self.decoder = torch.nn.Linear(32, 16)

    def forward(self, x):
        """What is decoded, the indices of the codes and the loss of the quantizer."""
        code, indices, loss = self.quantize(self.encoder(x))
        return self.decoder(code), indices, loss


def example():
    """Training with two lengths."""
    torch.manual_seed(0)
    return Net(), _calls(), _loss


def _calls():
    return [(torch.randn(4, length, 16),) for length in (24, 32)]


def _loss(output):
    return output[0].square().mean() + output[2].sum()


_TEMPLATE = VectorQuantize(**OPTIONS)._codebook
_WRITTEN = ("initted", "embed", "embed_avg", "cluster_size")


def _with(*buffers):
    """The codebook that has these buffers; its methods write to them."""
    codebook = copy.copy(_TEMPLATE)
    codebook._buffers = dict(zip(_WRITTEN, buffers, strict=True))
    return codebook


@torch.library.custom_op("casebook::start_codebook", mutates_args=_WRITTEN)
def start(
    data: Tensor, initted: Tensor, embed: Tensor, embed_avg: Tensor, cluster_size: Tensor
) -> None:
    """Take the codes from the first data, by k-means, unless `initted` says that this is done."""
    PlainCodebook.init_embed_(_with(initted, embed, embed_avg, cluster_size), data)


@torch.library.custom_op("casebook::expire_codes", mutates_args=_WRITTEN)
def expire(
    data: Tensor, initted: Tensor, embed: Tensor, embed_avg: Tensor, cluster_size: Tensor
) -> None:
    """Replace the codes that few samples have by samples; how many these are, only data tells."""
    PlainCodebook.expire_codes_(_with(initted, embed, embed_avg, cluster_size), data)


class Codebook(PlainCodebook):
    """The codebook with its data-dependent steps in operators, which Dynamo does not look into."""

    def init_embed_(self, data, mask=None):
        """Take the codes from the first data."""
        start(data.detach(), *(getattr(self, name) for name in _WRITTEN))

    def expire_codes_(self, batch_samples, seq_mask=None):
        """Replace the codes that few samples have."""
        expire(batch_samples.detach(), *(getattr(self, name) for name in _WRITTEN))


def fixed():
    """Training with the codebook's data-dependent steps in custom operators."""
    torch.manual_seed(0)
    net = Net()
    net.quantize._codebook.__class__ = Codebook
    # The first call in training does this, where Dynamo breaks.
    net.quantize.zero.requires_grad_()
    return net, _calls(), _loss
