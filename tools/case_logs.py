"""Records what each case's symptom prints, release by release, for the tests of `match`.

    python tools/case_logs.py [--python P]... [CASE]...

Runs the symptoms on the CPU, in each interpreter P, under the logs that users are told to set.
What they print goes to `build/case_logs/RELEASE`, and the lines of it that can be evidence to
`tests/validators/match/case_logs`. Without --python the latter are made anew from the former.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import yaml
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.case_lines import evidence  # noqa: E402
from validators.catalog import Case, load_catalog  # noqa: E402
from validators.environment import Environment, describe  # noqa: E402
from validators.errors import CasebookError  # noqa: E402
from validators.runner.outcome import Outcome  # noqa: E402
from validators.runner.plan import Job, Settings, make_plan  # noqa: E402
from validators.runner.supervisor import adopt_orphans, end_orphans  # noqa: E402
from validators.runner.workers import Task, Workers  # noqa: E402

LOGS = {"TORCH_LOGS": "graph_breaks,recompiles,cudagraphs"}
KEPT = 1 << 20
"""Bytes of what a case prints."""
PRINTED = ROOT / "build" / "case_logs"
LINES = ROOT / "tests" / "validators" / "match" / "case_logs"


@click.command(help=__doc__)
@click.option("--python", "pythons", multiple=True, metavar="P", help="An interpreter with torch.")
@click.argument("cases", nargs=-1)
def main(pythons: tuple[str, ...], cases: tuple[str, ...]) -> None:
    """Record, and distil."""
    catalog = load_catalog(ROOT / "playbooks" / "catalog")
    adopt_orphans()
    try:
        for python in pythons:
            env = describe(python)
            plan = make_plan(catalog, [env], {}, {}, Settings(only=cases))
            asyncio.run(record(env, [job for job in plan.jobs if not job.unmet]))
        distil([catalog.find(name) for name in cases] or catalog.cases)
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    finally:
        end_orphans()


async def record(env: Environment, jobs: list[Job]) -> None:
    """Run the symptoms of `jobs`, which are of `env`, one after the other."""
    folder = PRINTED / env.fingerprint.torch.partition("+")[0]
    folder.mkdir(parents=True, exist_ok=True)
    async with Workers(env, "fork", LOGS, KEPT) as workers:
        for job in jobs:
            done = await run(job, workers, {"task": "arm", "arm": "symptom", "results": ""})
            why = done.failure or await _unlike(job, workers, done.result["report"])
            click.echo(f"{folder.name} {job.case.name} {done.seconds:.1f} s {why}")
            said = "" if why else done.output + "".join(exceptions(done.result["report"]))
            (folder / f"{job.case.name}.txt").write_text(said, "utf-8")


async def run(job: Job, workers: Workers, request: dict[str, Any]) -> Outcome:
    """Run one task of the case."""
    meta = job.case.meta
    fixed = {"proof": str(job.case.proof), "device": "cpu", "memory": meta.memory, "roots": []}
    variables = meta.env.get("symptom", {})
    fresh = meta.always_fresh and request["task"] == "arm"
    return await workers.run(Task({**request, **fixed}, meta.timeout, fresh, variables))


async def _unlike(job: Job, workers: Workers, report: dict[str, Any]) -> str:
    """Why what the symptom printed is no log of the case: on this release it does not show."""
    done = await run(job, workers, {"task": "judge", "pairs": [{"symptom": report}]})
    return done.failure or ("" if done.result["shows"][0]["symptom"] else "does not show")


def exceptions(report: dict[str, Any]) -> list[str]:
    """The exceptions that a report holds: users see them, while the probes keep them from print."""
    caught = [report["exception"]] if report["exception"] else []
    facts = report["facts"]
    for name, text in facts.items():
        place, _, field = name.rpartition(".")
        if field == "message" and isinstance(text, str) and not place.startswith("eager"):
            caught.append({"type": facts.get(f"{place}.exception") or "", "message": text})
    return [f"\n{it['type']}: {it['message']}\n" for it in caught if it["type"]]


def distil(cases: Iterable[Case]) -> None:
    """Write the lines of `cases`; releases of which nothing was printed here keep theirs."""
    for case in cases:
        printed = {
            file.parent.name: evidence(file.read_text("utf-8"), case.name, case.meta.signatures)
            for file in PRINTED.glob(f"*/{case.name}.txt")
        }
        file = LINES / f"{case.name}.yaml"
        known = yaml.safe_load(file.read_text("utf-8")) if file.exists() else []
        logs = {release: it["log"] for it in known for release in it["torch"]} | printed
        releases: dict[str, list[str]] = defaultdict(list)
        for release in sorted(filter(logs.get, logs), key=Version):
            releases[logs[release]].append(release)
        entries = [{"torch": group, "log": log} for log, group in releases.items()]
        file.unlink(missing_ok=True)
        if entries:
            file.write_text(_dumped(entries), "utf-8")


def _dumped(entries: list[dict[str, Any]]) -> str:
    """YAML with each log's lines as they are, which PyYAML's own form would hide in quotes."""
    texts = [
        f"- torch: {json.dumps(entry['torch'])}\n  log: |2\n"
        + "".join(f"    {line}\n" for line in entry["log"].splitlines())
        for entry in entries
    ]
    return "---\n" + "".join(texts)


if __name__ == "__main__":
    main()
