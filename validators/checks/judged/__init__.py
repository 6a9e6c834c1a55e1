"""The checks of what `match` answers: to labelled logs and queries, and to what examples print.

`judge(repository)` makes all of them. Each failure is a problem with its place and its remedy.

In: labelled logs and queries. Out: problems, and how often the search is right.
Imports: catalog, evidence, families, match.
"""

from validators.checks.judged.judgement import Judgement, judge

__all__ = ["Judgement", "judge"]
