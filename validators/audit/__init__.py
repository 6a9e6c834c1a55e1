"""The audit of somebody's advice on torch.compile: what in it is false, and on which release.

In: a text with advice. Out: findings by line, with the case that decides each.
Imports: catalog, match.
"""
