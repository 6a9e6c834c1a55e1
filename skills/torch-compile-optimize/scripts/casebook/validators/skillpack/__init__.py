"""The pack of agent skills: what is made for it from the catalog and from this package.

In: a catalog and this package. Out: the folders of the skills.
Imports: catalog, evidence, families, knowing, match, silent.
"""
