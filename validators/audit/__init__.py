"""The audit of somebody's advice on torch.compile: what in it is false, and on which release."""
