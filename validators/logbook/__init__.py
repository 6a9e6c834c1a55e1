"""Writing the experiment log: scaffolds, drafts of what changed, imports of other logs.

In: two states of the catalog and its evidence, or a log. Out: entries and drafts.
Imports: catalog, environment, evidence.
"""
