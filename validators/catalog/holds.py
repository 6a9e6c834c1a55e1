"""Where a claim is expected to be confirmed."""

from __future__ import annotations

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from validators.catalog.frontmatter import FrontMatter


def expected_to_hold(meta: FrontMatter, torch: str, device: str, python: str) -> bool:
    """Whether *confirmed* is expected on this torch, device ("cpu" or "cuda") and Python.

    No `holds` means everywhere. A prerelease counts as its base version: 2.16.0.dev1 is in >=2.16.
    """
    return not meta.holds or any(
        _admits(item.torch, torch) and _admits(item.python, python) and item.device in ("", device)
        for item in meta.holds
    )


def _admits(specifiers: str, version: str) -> bool:
    return not specifiers or Version(version).base_version in SpecifierSet(specifiers)
