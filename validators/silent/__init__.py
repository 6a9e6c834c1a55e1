"""Silent errors: programs whose compiled result is not eager mode's, and says nothing.

`playbooks/silent` holds a program for each; `playbooks/evidence/silent` what it computed on each
release. A worker runs them; nothing here imports torch.

In: programs of silent errors, or a user's target. Out: verdicts, and the known errors in a target.
Imports: diagnose, environment, evidence, inspector, interpreted.
"""
