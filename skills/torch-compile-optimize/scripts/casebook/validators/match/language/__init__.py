"""The words of the search: its numbers and patterns, terms, spelling, symptoms, packed lists.

In: texts. Out: terms, symptoms, spellings.
Imports: no other room.
"""
