"""Where a claim is expected to be confirmed, and where its example is to run."""

from __future__ import annotations

from functools import cache

from validators.catalog.frontmatter import FrontMatter
from validators.versions import version_of


def expected_to_hold(meta: FrontMatter, torch: str, device: str, python: str) -> bool:
    """Whether *confirmed* is expected on this torch, device ("cpu" or "cuda") and Python.

    No `holds` means everywhere. A prerelease counts as its base version: 2.16.0.dev1 is in >=2.16.
    """
    return not meta.holds or any(
        _admits(item.torch, torch) and _admits(item.python, python) and item.device in ("", device)
        for item in meta.holds
    )


def doubt_about(meta: FrontMatter, torch: str) -> str:
    """Why the proof decides nothing on this torch if it shows nothing there; "" if it does."""
    return next((it.why for it in meta.doubts if _admits(it.torch, torch)), "")


def example_is_for(meta: FrontMatter, torch: str, device: str) -> bool:
    """Whether the page's example is for this torch and device, "cpu" or "cuda".

    On a GPU only those run that a CPU cannot.
    """
    limits = meta.example_on
    needs_gpu = "cpu" not in meta.devices or (limits is not None and limits.device == "cuda")
    if needs_gpu != (device == "cuda"):
        return False
    return limits is None or _admits(limits.torch, torch)


@cache
def _admits(specifiers: str, version: str) -> bool:
    if not specifiers:
        return True
    # Imported here, since it takes 10 ms and commands that only list cases do not need it.
    from packaging.specifiers import SpecifierSet

    return version_of(version).base_version in SpecifierSet(specifiers)
