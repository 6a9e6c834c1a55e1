"""Evidence: one record per case and column, written by a machine, never by hand.

In: records. Out: the state of a claim on each release, in words.
Imports: catalog, environment, evidence.digests, evidence.stored, probes.
"""

from validators.evidence.digests.digest import digest_of
from validators.evidence.freshness import Freshness, overlaid
from validators.evidence.stored.record import Record, Reports, same_but_noise
from validators.evidence.stored.store import Evidence, load_evidence, load_records
from validators.evidence.stored.writing import merge, write_record

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
