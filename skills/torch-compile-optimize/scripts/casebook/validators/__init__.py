"""The program that decides claims: `python -m validators`, or `casebook` once it is installed.

In this package only what runs in the judged interpreter may import torch: `inspector`, `probes` and
`worker`, and what stands for a GPU.
"""

__version__ = "1.0.0"
"""The version of everything: the package, the plugin, its skills. The changelog begins with it."""
