"""What a model's source will meet under `torch.compile`, read without running it."""
