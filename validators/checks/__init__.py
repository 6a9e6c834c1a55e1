"""The checks, which read everything that people and machines wrote, and execute nothing.

Each check yields problems. A problem says in one sentence what is wrong, then the remedy.

In: a repository. Out: problems, each with its place and a remedy.
Imports: catalog, checks.recorded, checks.written, evals, families, skillpack.
"""

from validators.checks.everything import Checked, check_all, in_order
from validators.checks.recorded.holds import fix_holds
from validators.checks.written.prose import fix_prose

__all__ = ["Checked", "check_all", "fix_holds", "fix_prose", "in_order"]
