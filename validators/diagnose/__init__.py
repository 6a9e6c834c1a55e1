"""Diagnose a user's model: what `torch.compile` does to it, and the cases that explain it.

What needs torch runs in the user's interpreter, in `validators.inspector.diagnosis`.
"""
