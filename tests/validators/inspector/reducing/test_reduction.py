"""What is told of the part of a target that fails."""

from __future__ import annotations

from importlib.metadata import version

from validators.inspector.reducing.reduction import _packages


def test_the_packages_that_a_script_imports_have_versions(tmp_path):
    """Those of the user's own files as well; what is no installed package has none."""
    (tmp_path / "net.py").write_text("import numpy.linalg\nimport os\nfrom . import beside\n")
    (tmp_path / "broken.py").write_text("import (\n")
    files = [str(tmp_path / name) for name in ("net.py", "broken.py", "gone.py")]
    found = _packages({("torch.nn", "Linear"), ("net", "Net")}, files)
    assert found == {name: version(name) for name in ("numpy", "torch")}
