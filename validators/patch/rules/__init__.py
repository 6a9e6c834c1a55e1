"""The mechanical fixes, each a rule in a module of its own.

In: a finding and the source around it. Out: changes, or none.
Imports: diagnose, patch.editing.
"""

from validators.patch.editing.changes import Rule
from validators.patch.rules.branches import branches
from validators.patch.rules.calls import calls
from validators.patch.rules.counters import counters
from validators.patch.rules.generation import generation
from validators.patch.rules.indices import indices
from validators.patch.rules.marks import marks
from validators.patch.rules.messages import messages
from validators.patch.rules.regions import regions

RULES: dict[str, Rule] = {
    it.__name__: it
    for it in (branches, counters, indices, marks, messages, generation, calls, regions)
}
