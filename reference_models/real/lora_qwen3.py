"""Qwen3 with two LoRA adapters, a language model trained on two tasks, of peft."""

import torch
from peft import LoraConfig, get_peft_model
from transformers import Qwen3Config, Qwen3ForCausalLM


class TwoTasks(torch.nn.Module):
    """A compiled model whose adapter is chosen before each batch."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, task, input_ids):
        """The loss of a batch under the adapter of its task."""
        self.model.set_adapter(task)
        return self.model(input_ids=input_ids, labels=input_ids).loss


def example():
    """Batches of two tasks in turn, in two lengths; the model is compiled in place."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=100,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=64,
    )
    lora = LoraConfig(
        r=4,
        lora_alpha=8,
        lora_dropout=0.1,
        target_modules=["q_proj", "v_proj"],
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(Qwen3ForCausalLM(config), lora, adapter_name="chat")
    model.add_adapter("code", lora)
    model.compile()
    calls = [
        (task, torch.randint(0, 100, (2, length)))
        for task, length in (("chat", 8), ("code", 8), ("chat", 12), ("code", 12))
    ]
    return TwoTasks(model).train(), calls, lambda loss: loss
