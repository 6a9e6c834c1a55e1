"""Prints what the runner needs beside Python, as pip takes it."""

import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]
print(*project["dependencies"])
