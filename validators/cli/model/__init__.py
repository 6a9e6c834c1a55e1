"""Commands about a user's own model: what goes wrong in it, and whether a fix helps.

In: a target, as "file.py:example" or a script. Out: reports. They start workers by the rooms
`diagnose`, `patch`, `repro` and `compiled`, and never import torch themselves.
"""
