"""Makes what the search reads: the index of a catalog, terms of logs, topics, scores.

In: a catalog and files beside it. Out: an index.
Imports: catalog, families, match, match.language.
"""
