"""Commands for those who keep the casebook: new pages and entries, checks, evaluation.

In: names and files of the catalog, in a checkout. Out: written files, lists of defects.
Imports: catalog, checks, cli, environment, evals, evidence, logbook, match, skillpack.
"""
