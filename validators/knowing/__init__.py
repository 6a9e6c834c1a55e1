"""What a catalog, its evidence, the messages of torch and the silent errors know, put together.

In: a repository. Out: what `diagnose`, `match` and the server answer from; those rooms get it as an
argument.
Imports: environment, families, match, silent.
"""
