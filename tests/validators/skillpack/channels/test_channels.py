"""The pack, installed by the clients that people use, and removed again."""

from __future__ import annotations

import filecmp
import functools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.validators.skillpack.channels.clients import CLIENTS, Client, Codex, Gemini, Skills
from tests.validators.skillpack.small_pack import read_pack, write_manifests, write_pack
from validators.files import ROOT
from validators.skillpack.well_known import well_known

pytestmark = [pytest.mark.channels, pytest.mark.slow]


@pytest.fixture(scope="module")
def programs() -> str:
    """The folders of the clients' programs, which are installed if they are not there."""
    done = subprocess.run(
        ["sh", str(ROOT / "tools" / "clients.sh")],
        env={**os.environ, "PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=900,
    )
    return done.stdout.strip()


@pytest.fixture(scope="module", params=["small", "ours"])
def pack(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository: a small pack that is known to carry a script, or a copy of what ours ships."""
    folder = tmp_path_factory.mktemp("pack")
    if request.param == "small":
        write_pack(folder)
        write_manifests(folder)
        return folder
    for name in ("README.md", "LICENSE", "AGENTS.md", "CLAUDE.md", "plugin.json"):
        shutil.copy(ROOT / name, folder)
    shutil.copy(ROOT / "gemini-extension.json", folder)
    (folder / "playbooks" / "catalog").mkdir(parents=True)
    shutil.copy(ROOT / "playbooks" / "skills.yaml", folder / "playbooks")
    for name in ("skills", ".claude-plugin"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    return folder


@pytest.mark.parametrize("kind", CLIENTS, ids=lambda kind: kind.name)
def test_a_client_installs_and_removes_the_pack(
    kind: type[Client], programs: str, pack: Path, tmp_path: Path
) -> None:
    """All skills are offered as they were written, their scripts run there, and nothing stays."""
    _, known = read_pack(pack)
    names = {skill.name for skill in known.skills}
    client = kind(programs, tmp_path / "home", pack, known.name)
    client.install()
    assert client.loaded() == names
    for name in names:
        assert differences(pack / "skills" / name, client.place() / name) == []
    assert scripts_run(client.place()) == len(list(pack.glob("skills/*/scripts/*.py")))
    client.remove()
    assert client.loaded() == set()
    assert [path for path in client.left() if path.is_file() or path.is_symlink()] == []


@pytest.mark.parametrize(
    ("kind", "where"), [(Codex, "--project"), (Codex, "--user"), (Gemini, "--user")]
)
def test_a_client_finds_what_the_command_adds(
    kind: type[Client], where: str, programs: str, tmp_path: Path
) -> None:
    """And nothing after the command has removed it; Gemini CLI asks before it trusts a project."""
    client = kind(programs, tmp_path / "home", ROOT, "")
    subprocess.run(["git", "init", "-q"], cwd=client.project, check=True)

    def skills(verb: str) -> None:
        command = [sys.executable, str(ROOT / "validators"), "skills", verb, where]
        command += ["--client", client.name]
        subprocess.run(command, cwd=client.project, env=client.variables, check=True)

    names = {path.parent.name for path in ROOT.glob("skills/*/SKILL.md")}
    assert client.found() & names == set()
    skills("add")
    assert client.found() & names == names
    skills("remove")
    assert client.found() & names == set()
    assert [path for path in client.left() if path.is_file()] == []


def test_skills_are_installed_from_the_address_of_a_site(
    programs: str, pack: Path, tmp_path: Path
) -> None:
    """By the index that it serves below `.well-known`."""
    _, known = read_pack(pack)
    for path, content in well_known(pack, known).items():
        (tmp_path / "site" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / path).write_bytes(content)
    client = Skills(programs, tmp_path / "home", pack, known.name)
    with served(tmp_path / "site") as client.source:
        client.install()
    assert client.loaded() == {skill.name for skill in known.skills}
    for name in client.loaded():
        assert differences(pack / "skills" / name, client.place() / name) == []


def differences(source: Path, installed: Path) -> list[str]:
    """The files of a skill that are missing or differ in the installed copy."""
    files = [str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()]
    assert files
    _, different, missing = filecmp.cmpfiles(source, installed, files, shallow=False)
    return different + missing


def scripts_run(folder: Path) -> int:
    """How many scripts of installed skills there are; each must say how it is used."""
    found = sorted(folder.glob("*/scripts/*.py"))
    for script in found:
        done = subprocess.run(
            [sys.executable, "-I", str(script), "--help"],
            cwd="/",
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0 and "usage:" in done.stdout, done.stderr
    return len(found)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of static files on this machine."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
