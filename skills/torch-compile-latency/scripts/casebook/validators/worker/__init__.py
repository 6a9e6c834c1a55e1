"""What runs inside the judged interpreter: torch and the standard library only, Python >= 3.10.

The runner starts it by its path, so an interpreter can run it without installing our package.
"""
