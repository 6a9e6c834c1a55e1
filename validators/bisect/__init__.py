"""Between which two releases a verdict changed."""

from validators.bisect.changes import Change, changes, to_ask

__all__ = ["Change", "changes", "to_ask"]
