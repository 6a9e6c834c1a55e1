"""Offer fixes of a user's model that are mechanical, as a diff, each proved by `verify-fix`.

In: a target and its findings. Out: a diff, and what its proof measured.
Imports: diagnose, environment, patch.editing, patch.rules.
"""
