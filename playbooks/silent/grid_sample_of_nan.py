"""`grid_sample` with a NaN in the grid and border padding returns zero, not the border.

cause: decomposition
avoid: Replace NaN by -1 with `nan_to_num`.
"""

import torch


def inputs():
    nan = float("nan")
    return torch.arange(16.0).view(1, 1, 4, 4) + 1, torch.tensor([[[[nan, 0.0], [0.0, 0.0]]]])


def call(x, grid):
    return torch.nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)


def instead(x, grid):
    return call(x, grid.nan_to_num(-1.0))
