"""Lumina2, a transformer that denoises images under a caption, of diffusers."""

import torch
from diffusers import Lumina2Transformer2DModel


def example():
    """Two widths of the latent image; captions of unequal length."""
    torch.manual_seed(0)
    model = Lumina2Transformer2DModel(
        sample_size=16,
        in_channels=4,
        hidden_size=48,
        num_layers=2,
        num_refiner_layers=1,
        num_attention_heads=4,
        num_kv_heads=2,
        multiple_of=16,
        axes_dim_rope=(4, 4, 4),
        axes_lens=(64, 64, 64),
        cap_feat_dim=32,
    )
    mask = torch.ones(2, 10, dtype=torch.bool)
    mask[1, 7:] = False
    calls = [
        {
            "hidden_states": torch.randn(2, 4, 16, width),
            "timestep": torch.tensor([3, 7]),
            "encoder_hidden_states": torch.randn(2, 10, 32),
            "encoder_attention_mask": mask,
            "return_dict": False,
        }
        for width in (16, 20)
    ]
    return model.eval(), calls


class Padded(Lumina2Transformer2DModel):
    """The transformer with captions that keep their padding, under a mask.

    diffusers joins each caption, cut to its length, with its image; the lengths come from a tensor.
    """

    def forward(
        self,
        hidden_states,
        timestep,
        encoder_hidden_states,
        encoder_attention_mask,
        attention_kwargs=None,
        return_dict=False,
    ):
        """The denoised latent images, in a tuple."""
        size = self.config.patch_size
        rows, columns = (it // size for it in hidden_states.shape[2:])
        temb, caption = self.time_caption_embed(hidden_states, timestep, encoder_hidden_states)
        patches = hidden_states.unflatten(2, (rows, size)).unflatten(4, (columns, size))
        image = self.x_embedder(patches.permute(0, 2, 4, 3, 5, 1).flatten(3).flatten(1, 2))
        words = caption.shape[1]
        rope = self._rope(encoder_attention_mask, rows, columns)
        for layer in self.context_refiner:
            caption = layer(caption, encoder_attention_mask, rope[:, :words])
        for layer in self.noise_refiner:
            image = layer(image, None, rope[:, words:], temb)
        joint = torch.cat([caption, image], dim=1)
        mask = torch.cat([encoder_attention_mask, mask_of(image)], dim=1)
        for layer in self.layers:
            joint = layer(joint, mask, rope, temb)
        image = self.norm_out(joint, temb)[:, words:].unflatten(1, (rows, columns))
        patches = image.unflatten(-1, (size, size, self.out_channels))
        return (patches.permute(0, 5, 1, 3, 2, 4).flatten(4, 5).flatten(2, 3),)

    def _rope(self, mask, rows, columns):
        """Rotary embeddings of the caption's places, then of the image's."""
        batch, words = mask.shape
        ids = mask.new_zeros((batch, words + rows * columns, 3), dtype=torch.int64)
        ids[:, :words, 0] = torch.arange(words)
        ids[:, words:, 0] = mask.sum(dim=1, keepdim=True)
        ids[:, words:, 1] = torch.arange(rows).repeat_interleave(columns)
        ids[:, words:, 2] = torch.arange(columns).repeat(rows)
        return self.rope_embedder._get_freqs_cis(ids)


def mask_of(tokens):
    """A mask that leaves out none of the tokens."""
    return torch.ones(tokens.shape[:2], dtype=torch.bool)


def fixed():
    """The model with captions that keep their padding."""
    model, calls = example()
    model.__class__ = Padded
    return model, calls
