"""What a model's source will meet under `torch.compile`, read without running it.

In: Python source. Out: lines that a case speaks of; nothing runs.
Imports: no other room.
"""
