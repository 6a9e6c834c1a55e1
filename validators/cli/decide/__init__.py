"""Commands that decide claims by running programs, and that keep what they decided.

In: names of cases, interpreters that have torch. Out: verdicts and records. They start workers by
the room `runner`, and never import torch themselves.
"""
