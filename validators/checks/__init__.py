"""The checks: everything that people and machines wrote is read, nothing is executed.

Each check is a generator of problems: what is wrong; then the remedy, in one sentence.
"""

from validators.checks.everything import Checked, check_all
from validators.checks.prose import fix_prose

__all__ = ["Checked", "check_all", "fix_prose"]
