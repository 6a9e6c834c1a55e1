"""A log that is one file, imported as entries that are a file each."""

from docsite.import_log.command import import_log

__all__ = ["import_log"]
