"""The program that decides claims: `python -m validators`.

In this package only `validators.probes` and `validators.worker` may import torch.
"""
