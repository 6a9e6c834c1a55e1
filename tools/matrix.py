"""Prints the jobs of the workflow `releases` as JSON: each release of casebook.yaml by each part.

python tools/matrix.py PARTS [RELEASE]...    only these releases; needs PyYAML
"""

import json
import sys
from pathlib import Path

import yaml

FILE = Path(__file__).parents[1] / "playbooks" / "casebook.yaml"


def main() -> None:
    """Print the matrix, or say what is wrong with the arguments."""
    parts, *asked = sys.argv[1:] or ["1"]
    known = yaml.safe_load(FILE.read_text())["releases"]
    if unknown := [release for release in asked if release not in known]:
        sys.exit(f"Error: {', '.join(unknown)}: not among the `releases` of {FILE.name}; add it")
    if not parts.isdigit() or int(parts) < 1:
        sys.exit(f"Error: {parts}: is not a number of parts; write 3 for three jobs a release")
    shards = [f"{part}/{parts}" for part in range(1, int(parts) + 1)]
    jobs = [{"torch": it, "shard": shard} for it in asked or known for shard in shards]
    print(json.dumps({"include": jobs}))


main()
