"""ModernBERT with int8 weights, a text classifier, of torchao."""

import torch
from torchao.quantization import Int8WeightOnlyConfig, quantize_
from transformers import ModernBertConfig, ModernBertForSequenceClassification


def example():
    """Two lengths of text, the second with padding."""
    torch.manual_seed(0)
    config = ModernBertConfig(
        vocab_size=100,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=3,
        num_attention_heads=4,
        local_attention=8,
        max_position_embeddings=64,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        cls_token_id=1,
        sep_token_id=2,
        num_labels=3,
    )
    model = ModernBertForSequenceClassification(config).eval()
    quantize_(model, Int8WeightOnlyConfig())
    calls = []
    for length in (16, 24):
        ids = torch.randint(3, 100, (2, length))
        mask = torch.ones_like(ids)
        if length == 24:
            mask[1, 18:] = 0
        calls.append({"input_ids": ids, "attention_mask": mask})
    return model, calls
