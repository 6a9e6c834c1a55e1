"""Messages that torch can print, read from the source of an installed release.

In: the folder of a torch. Out: formats of messages. It imports no torch and reads no record.
"""
