"""What a site shows that programs work out: made before its pages, which only read it.

`make(repository)` diagnoses the recorded models, builds the index of the search, finds the cases
that print the same lines, and reads the pack of skills and the schemas. Whoever shows it imports
`Made` and nothing else of those rooms. Beside it, `standing` says what evidence knows of a case,
`history` what the log did to it, and `source_claims` which claims of documents it decides.

In: a repository. Out: what site, commands and skills say of it.
Imports: catalog, corpus, diagnose, environment, evidence, families, knowing, match, silent,
skillpack.
"""

from validators.match.making.scores import share
from validators.published.made import Made, Search, make
from validators.published.models import Run, ShownModel
from validators.published.silent import ShownError

__all__ = ["Made", "Run", "Search", "ShownError", "ShownModel", "make", "share"]
