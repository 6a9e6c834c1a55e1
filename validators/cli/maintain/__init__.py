"""Commands for those who keep the casebook: new pages and entries, checks, evaluation.

They need a checkout. In: names and files of the catalog. Out: written files, lists of defects.
"""
