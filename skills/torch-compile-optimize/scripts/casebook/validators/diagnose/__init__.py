"""Diagnose a user's model: what `torch.compile` does to it, and the cases that explain it.

`run` asks about a target in the user's interpreter, where `validators.inspector` looks;
`from_recording` reads what torch printed; `parts` makes findings of both, which `explaining`
explains. `fix` proves fixes, `compare` sets two reports side by side, `report` writes them.

In: a target, a script, a trace or a log. Out: a `Diagnosis` of findings.
Imports: diagnose.explaining, diagnose.findings, diagnose.fix, diagnose.masking, diagnose.recording,
diagnose.static, diagnose.target, environment, inspector, match, probes, runner.
"""
