"""The program that decides claims: `python -m validators`, or `casebook` once it is installed.

In this package only `validators.probes` and `validators.worker` may import torch.
"""

__version__ = "1.0.0"
"""The version of everything: the package, the plugin, its skills. The changelog begins with it."""
