"""Evidence: one record per case and column, written by a machine, never by hand."""

from validators.evidence.digest import digest_of
from validators.evidence.freshness import Freshness, overlaid
from validators.evidence.record import Record, Reports, same_but_noise
from validators.evidence.store import Evidence, load_evidence, load_records
from validators.evidence.writing import merge, write_record

__all__ = [
    "Evidence",
    "Freshness",
    "Record",
    "Reports",
    "digest_of",
    "load_evidence",
    "load_records",
    "merge",
    "overlaid",
    "same_but_noise",
    "write_record",
]
