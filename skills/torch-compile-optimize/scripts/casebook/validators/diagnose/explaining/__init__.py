"""Which case explains a finding, and what follows from another finding.

In: what a part measured, and knowledge. Out: findings with the case that explains each.
Imports: diagnose.findings, diagnose.recording, inspector, match, probes.
"""
