"""The scripts of the skills: what the machine does, on a user's Python, without other packages.

In: the arguments of a script. Out: what the command of that name prints.
Imports: diagnose, environment, match, silent.
"""
