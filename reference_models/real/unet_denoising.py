"""A U-Net in a loop that denoises a latent image under a prompt, of diffusers."""

import torch
from diffusers import EulerDiscreteScheduler, UNet2DConditionModel


class Denoising(torch.nn.Module):
    """The loop of a pipeline: the network and its scheduler in turn, with guidance."""

    def __init__(self, unet, scheduler, guidance=5.0):
        super().__init__()
        self.unet = unet
        self.scheduler = scheduler
        self.guidance = guidance

    @torch.no_grad()
    def forward(self, latents, prompt, steps=3):
        """The latents after some steps; `prompt` holds the negative prompt first."""
        self.scheduler.set_timesteps(steps)
        latents = latents * self.scheduler.init_noise_sigma
        for step in self.scheduler.timesteps:
            both = self.scheduler.scale_model_input(torch.cat([latents] * 2), step)
            noise = self.unet(both, step, encoder_hidden_states=prompt).sample
            without, under = noise.chunk(2)
            noise = without + self.guidance * (under - without)
            latents = self.scheduler.step(noise, step, latents).prev_sample
        return latents


def example():
    """Two widths of the latent image."""
    torch.manual_seed(0)
    unet = UNet2DConditionModel(
        sample_size=16,
        block_out_channels=(16, 32),
        layers_per_block=1,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=32,
        attention_head_dim=4,
        norm_num_groups=4,
    )
    scheduler = EulerDiscreteScheduler(
        beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1
    )
    calls = [(torch.randn(2, 4, 16, width), torch.randn(4, 7, 32)) for width in (16, 24)]
    return Denoising(unet.eval(), scheduler), calls
