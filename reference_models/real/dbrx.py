"""DBRX, a decoder with routed experts, of transformers."""

import torch
from transformers import DbrxConfig, DbrxModel
from transformers.models.dbrx.modeling_dbrx import DbrxExperts


def example():
    """Two lengths of text."""
    torch.manual_seed(0)
    config = DbrxConfig(
        vocab_size=100,
        d_model=32,
        n_heads=4,
        n_layers=2,
        max_seq_len=64,
        attn_config={"kv_n_heads": 2, "clip_qkv": 8, "rope_theta": 10000.0},
        ffn_config={"ffn_hidden_size": 32, "moe_num_experts": 4, "moe_top_k": 2},
    )
    calls = [{"input_ids": torch.randint(1, 100, (2, length))} for length in (8, 12)]
    return DbrxModel(config).eval(), calls


class AllExperts(DbrxExperts):
    """Every expert sees every token, with weight 0 where it is not chosen."""

    def forward(self, hidden_states, top_k_index, top_k_weights):
        """Weighted sum of the experts' outputs, (batch, length, hidden size)."""
        batch_size = hidden_states.shape[0]
        tokens_NH = hidden_states.reshape(-1, self.hidden_size)
        weights_NE = tokens_NH.new_zeros(len(tokens_NH), self.num_experts)
        weights_NE = weights_NE.scatter(1, top_k_index, top_k_weights)
        sizes = (self.num_experts, self.ffn_hidden_size, self.hidden_size)
        w1_EFH, v1_EFH, w2_EFH = (it.view(sizes) for it in (self.mlp.w1, self.mlp.v1, self.mlp.w2))
        gate_ENF = self.mlp.activation_fn(tokens_NH @ w1_EFH.mT) * (tokens_NH @ v1_EFH.mT)
        found_NH = (gate_ENF @ w2_EFH * weights_NE.T[:, :, None]).sum(0)
        return found_NH.view(batch_size, -1, self.hidden_size)


def fixed():
    """The experts are chosen by weights, not by indices."""
    model, calls = example()
    for module in model.modules():
        if isinstance(module, DbrxExperts):
            module.__class__ = AllExperts
    return model, calls
