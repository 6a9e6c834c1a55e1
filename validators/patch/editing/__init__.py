"""How patches read and change source: functions, statements, what has no side effect, edits.

In: the text of a file. Out: the same with some lines changed. It imports no rule: rules use it.
"""
