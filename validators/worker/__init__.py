"""What runs inside the judged interpreter: torch and the standard library only, Python >= 3.10.

It is started by its path, so that an interpreter with nothing of ours installed can run it.
"""
