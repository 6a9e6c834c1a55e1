"""Processes inside the judged interpreter: torch and the standard library only, Python >= 3.10.

The runner starts this room by its path, so an interpreter can run it without our package installed.
A request goes in: an arm, an example, a judgement, or a part of a diagnosis, which `inspector` has.
JSON comes out. A zygote forks one process for each, and a supervisor watches its time and memory.
"""
