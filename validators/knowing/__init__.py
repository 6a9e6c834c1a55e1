"""What a catalog, its evidence, the messages of torch and the silent errors know, put together.

In: a repository. Out: the knowledge that `diagnose`, `match` and the server answer from. It imports
those rooms; they get the knowledge as an argument, and never import this one.
"""
