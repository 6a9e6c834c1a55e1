"""Between which two releases a verdict changed.

In: verdicts of a case by release. Out: the two releases, and what is left to try.
Imports: evidence.
"""

from validators.bisect.changes import Change, changes, to_ask

__all__ = ["Change", "changes", "to_ask"]
