"""What runs of real models recorded: files below `playbooks/evidence/models`.

In: those files, or what a run measured. Out: records, and in what two of them differ. It runs no
model and judges none, so that `families` may read here what models printed.
"""
