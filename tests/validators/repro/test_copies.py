"""Which files of a user's a reproducer gets, and where they lie there."""

from __future__ import annotations

from pathlib import Path

import pytest

from validators.diagnose.target.spec import parse_spec
from validators.repro import copies
from validators.repro.copies import copies_of

TOKEN = "hf_abcdefghijklmnop"


@pytest.fixture
def copied(tmp_path):
    """Copies what a run of `src/net.py` reads, given files by their names in the folder."""
    root = tmp_path / "project"

    def run(files: dict[str, bytes], modules: dict[str, str] | None = None, read: tuple = ()):
        for name, content in {"src/net.py": b"", **files}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        known = {name: str(root / file) for name, file in (modules or {}).items()}
        opened = [*(str(root / it) for it in files), *map(str, read)]
        made = {"files": known, "opened": opened}
        return copies_of(made, parse_spec("src/net.py:example", root))

    return run


def places(found):
    """The places of a copy, as texts."""
    return sorted(it.as_posix() for it in found.contents)


def test_modules_and_data_keep_their_places(copied, tmp_path):
    """A path relative to a module, or to the current folder, leads to the copy."""
    files = {"src/net.py": b"a = 1\n", "src/lib/part.py": b"", "src/lib/t.pt": b"\0", "c.json": b""}
    found = copied(files, {"net": "src/net.py", "lib.part": "src/lib/part.py"})
    assert places(found) == sorted(files)
    assert found.roots == (Path("src"),)
    assert [it.as_posix() for it in found.data] == ["src/lib/t.pt", "c.json"]
    assert (found.start, found.left_out) == (Path(), [])
    found.write(tmp_path / "there")
    assert (tmp_path / "there" / "src" / "net.py").read_text() == "a = 1\n"


def test_a_module_of_another_folder_lies_under_its_name(copied, tmp_path):
    """And data of another folder is left out."""
    other = tmp_path / "other" / "lib" / "__init__.py"
    other.parent.mkdir(parents=True)
    other.write_text("")
    (other.parent / "t.pt").write_bytes(b"1")
    found = copied({}, {"net": "src/net.py", "lib": str(other)}, (other.parent / "t.pt",))
    assert places(found) == ["lib/__init__.py", "src/net.py"]
    assert found.roots == (Path("src"), Path())
    assert found.left_out == [f"{other.parent}/t.pt: it is outside of the target's folder"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (".env", b"a", "it is hidden"),
        (".cache/t.pt", b"a", "it is hidden"),
        ("hf_token.txt", b"a", "its name tells of a secret"),
        ("server.pem", b"a", "its name tells of a secret"),
        ("t.pt", f"\0{TOKEN}\0".encode(), "it holds a home folder or a token"),
        ("t.pt", b"\0saved in /home/somebody/runs\0", "it holds a home folder or a token"),
        ("t.pt", b"\0" * 11, "it takes 11 B, and all files together at most 10 B"),
    ],
)
def test_what_may_be_private_is_left_out(copied, monkeypatch, name, content, said):
    """With the reason; so is what is too large."""
    if "takes" in said:
        monkeypatch.setattr(copies, "_MOST_BYTES", 10)
    found = copied({name: content})
    assert (places(found), found.left_out) == ([], [f"{name}: {said}"])


def test_names_of_tokenizers_are_no_secrets(copied):
    """Their files are read by many models."""
    files = {"tokenizer.json": b"{}", "special_tokens_map.json": b"{}", "keys.txt": b""}
    assert places(copied(files)) == sorted(files)


def test_text_is_masked(copied):
    """As in modules: a token, and a home folder."""
    found = copied({"c.json": f'{{"a": "{TOKEN}", "b": "/home/somebody/d"}}\r\n'.encode()})
    assert found.contents[Path("c.json")] == b'{"a": "***", "b": "~/d"}\r\n'


def test_a_link_out_of_the_folder_is_left_out(copied, tmp_path):
    """It leads to a file that is not the target's; a link within the folder is followed."""
    (tmp_path / "shared.bin").write_bytes(b"1")
    (tmp_path / "project").mkdir()
    outside, inside = tmp_path / "project" / "a.bin", tmp_path / "project" / "b.bin"
    outside.symlink_to(tmp_path / "shared.bin")
    inside.symlink_to(tmp_path / "project" / "real.bin")
    found = copied({"real.bin": b"2"}, None, (outside, inside))
    assert found.left_out == [f"{outside}: it is outside of the target's folder"]
    assert found.contents[Path("b.bin")] == b"2"


def test_many_files_are_bounded(copied, monkeypatch):
    """Of those that are left out, some are named."""
    monkeypatch.setattr(copies, "_MOST_FILES", 2)
    found = copied({f"{it:02}.bin": b"1" for it in range(20)})
    assert places(found) == ["00.bin", "01.bin"]
    assert found.left_out[0] == "02.bin: there are 2 others"
    assert found.left_out[10:] == ["8 more files"]
