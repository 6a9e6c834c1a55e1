"""Messages that torch can print, read from the source of an installed release.

In: the folder of an installed torch. Out: formats of messages; no torch is imported.
Imports: no other room.
"""
