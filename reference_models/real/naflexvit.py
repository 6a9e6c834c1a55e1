"""NaFlexViT, a vision transformer for images of any size and aspect ratio, of timm."""

import types

import torch
from timm.models.naflexvit import NaFlexEmbeds, NaFlexVit, NaFlexVitCfg


def example():
    """Patches of images of two aspect ratios, as the NaFlex data pipeline gives them."""
    torch.manual_seed(0)
    config = NaFlexVitCfg(patch_size=8, embed_dim=64, depth=2, num_heads=4)
    calls = []
    for height, width in ((4, 6), (5, 6)):
        rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
        coord = torch.stack([rows.flatten(), columns.flatten()], dim=-1).expand(2, -1, -1)
        patches = torch.randn(2, height * width, 8 * 8 * 3)
        valid = torch.ones(2, height * width, dtype=torch.bool)
        valid[1, -3:] = False
        calls.append({"patches": patches, "patch_coord": coord.clone(), "patch_valid": valid})
    return NaFlexVit(config, num_classes=0).eval(), [{"x": call} for call in calls]


@torch.library.custom_op("casebook::naflex_positions", mutates_args=())
def positions(x: torch.Tensor, coord: torch.Tensor, table: torch.Tensor, mode: str) -> torch.Tensor:
    """The embedding of each patch's position, shaped as `x`: what timm's own method adds to it.

    Its grids have sizes that only the coordinates tell, so timm keeps it out of compiled code.
    """
    owner = types.SimpleNamespace(
        pos_embed=table,
        pos_embed_interp_mode=mode,
        pos_embed_ar_preserving=False,
        pos_embed_align_corners=False,
        pos_embed_antialias=True,
    )
    made = torch.zeros_like(x)
    NaFlexEmbeds._apply_learned_naflex_pos_embed(owner, made, coord)
    return made


@positions.register_fake
def _(x, coord, table, mode):
    return torch.empty_like(x)


def _keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs[1:3])
    ctx.mode = inputs[3]


def _backward(ctx, gradient):
    coord, table = ctx.saved_tensors
    with torch.enable_grad():
        table = table.detach().requires_grad_()
        made = positions._init_fn(gradient, coord, table, ctx.mode)
    return None, None, *torch.autograd.grad(made, table, gradient), None


positions.register_autograd(_backward, setup_context=_keep)


class Embeds(NaFlexEmbeds):
    """The embedding with one operator for the positions, which Dynamo does not look into."""

    def _apply_learned_naflex_pos_embed(self, x, patch_coord):
        x += positions(x, patch_coord, self.pos_embed, self.pos_embed_interp_mode)


def fixed():
    """The model with the positions in a custom operator."""
    model, calls = example()
    model.embeds.__class__ = Embeds
    return model, calls
