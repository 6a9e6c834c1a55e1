"""Real models of published packages: what the compiler does to each, and what explains it.

In: model files of `reference_models/real`, and what their runs recorded. Out: levels of
explanation, counted.
Imports: catalog, corpus.records, diagnose, environment, evidence, knowing, match, runner.
"""
