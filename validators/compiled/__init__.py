"""What torch compiles a user's target to, for a GPU that is not there.

In: a target and an architecture. Out: kernels, and what a compiler says of them.
Imports: diagnose, environment, pretended.
"""
