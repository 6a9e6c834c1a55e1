"""Copies of a repository: what they leave out, and how a patch changes them."""

from __future__ import annotations

import subprocess

import pytest

from validators.errors import CasebookError
from validators.evals.folders import copied, diff, patch_conflict, patched_copy, restore

PATCH = """--- a/net/model.py
+++ b/net/model.py
@@ -1,2 +1,2 @@
 first
-second
+other
"""


@pytest.fixture
def repo(tmp_path):
    """A repository with one file."""
    file = tmp_path / "repo" / "net" / "model.py"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"first\nsecond\n")
    return tmp_path / "repo"


@pytest.fixture
def patch(tmp_path):
    """A patch of that file."""
    file = tmp_path / "reference.patch"
    file.write_text(PATCH)
    return file


def test_copies_leave_out_what_is_no_change(tmp_path):
    """Skills, caches and links are not copied; restored files show no change."""
    one, two = tmp_path / "one", tmp_path / "two"
    (one / ".agents" / "skills").mkdir(parents=True)
    (one / "run.py").write_text("1\n")
    (one / "link").symlink_to("/etc")
    copied(one, two)
    assert sorted(it.name for it in two.iterdir()) == ["run.py"]
    (two / "run.py").write_text("2\n")
    assert diff(one, two).splitlines()[-2:] == ["-1", "+2"]
    restore(["run.py"], one, two)
    assert "run.py" not in diff(one, two)


@pytest.mark.parametrize("header", ["", "diff --git a/net/model.py b/net/model.py\n"])
def test_a_patch_changes_the_copy_alone(tmp_path, repo, patch, header):
    """Even inside a checkout, where git would look for the files from its root and skip them."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    patch.write_text(header + PATCH)
    assert patch_conflict(patch, repo) == ""
    changed = patched_copy(repo, patch, tmp_path / "changed")
    assert (changed / "net/model.py").read_bytes() == b"first\nother\n"
    assert (repo / "net/model.py").read_bytes() == b"first\nsecond\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PATCH.replace("-second", "-third"), "patch failed: net/model.py:1"),
        (PATCH.replace("model", "gone"), "net/gone.py: No such file"),
        (PATCH.replace("net/model.py", "../outside.py"), "outside"),
        ("no patch", "No valid patches in input"),
        ("", "No valid patches in input"),
    ],
)
def test_a_patch_that_does_not_apply(tmp_path, repo, patch, text, said):
    """One sentence with the patch, git's reason and the remedy."""
    (tmp_path / "outside.py").write_text("first\nsecond\n")
    patch.write_text(text)
    assert said in patch_conflict(patch, repo)
    with pytest.raises(CasebookError, match=r"reference.patch: does not apply .*; write it again"):
        patched_copy(repo, patch, tmp_path / "changed")
    assert (tmp_path / "outside.py").read_text() == "first\nsecond\n"


def test_git_is_missing(repo, patch, monkeypatch, tmp_path):
    """One sentence says what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CasebookError, match="git is not installed; install it"):
        patch_conflict(patch, repo)
