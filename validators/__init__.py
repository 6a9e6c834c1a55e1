"""The machine that runs validator scripts: `python -m validators`.

Nothing in this package but `validators.probes` and `validators.worker` may import torch.
"""
