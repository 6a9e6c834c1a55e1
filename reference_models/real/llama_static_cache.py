"""Llama with a static cache and its forward compiled, a text generator, of transformers."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM


class Generation(torch.nn.Module):
    """Greedy generation by `generate`: a prefill, then a step for each token."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        """The prompt and six more tokens."""
        return self.model.generate(input_ids, do_sample=False, min_new_tokens=6, max_new_tokens=6)


def example():
    """Two lengths of the prompt; `model.forward` is compiled as in the package's documentation."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=100,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    model = LlamaForCausalLM(config).eval()
    model.generation_config.cache_implementation = "static"
    model.forward = torch.compile(model.forward, mode="reduce-overhead", fullgraph=True)
    return Generation(model), [(torch.randint(3, 100, (2, length)),) for length in (8, 12)]
