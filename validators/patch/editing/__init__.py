"""How patches read and change source: functions, statements, what has no side effect, edits.

In: the text of a file. Out: functions and statements of it, and changed lines.
Imports: no other room.
"""
