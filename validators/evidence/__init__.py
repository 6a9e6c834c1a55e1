"""Evidence: one record per case and column, written by a machine, never by hand."""

from validators.evidence.digest import digest_of, is_current
from validators.evidence.record import Record, Verdict, same_but_noise
from validators.evidence.store import Evidence, append, load_evidence, merge

__all__ = [
    "Evidence",
    "Record",
    "Verdict",
    "append",
    "digest_of",
    "is_current",
    "load_evidence",
    "merge",
    "same_but_noise",
]
