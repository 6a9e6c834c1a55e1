"""Prints the packages that the runner needs, in the form that pip takes."""

import tomllib
from pathlib import Path

project = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]
print(*project["dependencies"])
