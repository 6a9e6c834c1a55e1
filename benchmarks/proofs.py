"""Small catalogs of proofs that benchmarks time."""

from __future__ import annotations

from pathlib import Path

_TEMPLATES = Path(__file__).parent / "templates"


def write_proofs(root: Path, template: str, values: list[dict[str, str]]) -> Path:
    """Write a case for each of `values`, which replace `@NAME@` in the template of its proof.

    Returns the catalog.
    """
    proof = (_TEMPLATES / f"{template}.py.txt").read_text(encoding="utf-8")
    page = (_TEMPLATES / "page.md.txt").read_text(encoding="utf-8")
    catalog = root / "playbooks" / "catalog"
    folder = catalog / "tooling"
    folder.mkdir(parents=True)
    for index, names in enumerate(values):
        text = proof
        for name, value in names.items():
            text = text.replace(f"@{name}@", value)
        (folder / f"{template}_{index:03}.py").write_text(text, encoding="utf-8")
        claim = f"Proof {index} does what its template says"
        (folder / f"{template}_{index:03}.md").write_text(page.format(claim=claim), "utf-8")
    return catalog
