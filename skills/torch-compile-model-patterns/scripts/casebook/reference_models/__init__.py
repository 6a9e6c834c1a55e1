"""Small, real models for the casebook's proofs: one file each, torch and the standard library only.

A model never calls `torch.compile`: whether, where and how to compile is what the cases vary.
"""
