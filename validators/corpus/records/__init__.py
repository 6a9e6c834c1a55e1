"""What runs of real models recorded: files below `playbooks/evidence/models`.

In: files below `playbooks/evidence/models`, or what a run measured. Out: records, and in what two
differ.
Imports: diagnose, environment, evidence.
"""
