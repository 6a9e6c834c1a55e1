"""The command-line clients that install the pack, each as its users call it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import ClassVar

QUIET = {
    "CI": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_TELEMETRY_ENABLED": "false",
}
"""Keeps clients from asking for anything but what is installed."""
PLACES = {"CODEX_HOME": ".codex", "XDG_CONFIG_HOME": ".config", "XDG_CACHE_HOME": ".cache"}
"""The variables that lead clients to folders of the home."""
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Client:
    """A client in a home of its own, without an account."""

    name: ClassVar[str]

    def __init__(self, programs: str, home: Path, pack: Path, plugin: str) -> None:
        """`programs` are folders for PATH; `pack` holds the plugin, `source` what is installed."""
        self.home, self.pack, self.plugin, self.source = home, pack, plugin, str(pack)
        self.project = home / "project"
        self.project.mkdir(parents=True)
        places = {"CODEX_HOME": ".codex", "XDG_CONFIG_HOME": ".config", "XDG_CACHE_HOME": ".cache"}
        self.variables = {
            "PATH": f"{programs}{os.pathsep}/usr/bin:/bin",
            "HOME": str(home),
            **QUIET,
        }
        for name, folder in places.items():
            self.variables[name] = str(home / folder)
            (home / folder).mkdir()

    def run(self, *command: str, answer: str = "") -> str:
        """What a command prints; it must succeed."""
        done = subprocess.run(
            [self.name, *command],
            cwd=self.project,
            env=self.variables,
            input=answer,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=180,
        )
        assert done.returncode == 0, done.stdout
        return _ESCAPES.sub("", done.stdout)

    def install(self) -> None:
        """Install the pack."""
        raise NotImplementedError

    def loaded(self) -> set[str]:
        """The names of the pack's skills that the client offers to a model."""
        raise NotImplementedError

    def found(self) -> set[str]:
        """The names of all skills that the client finds in its folders."""
        return self.loaded()

    def place(self) -> Path:
        """The folder that holds the installed skills."""
        raise NotImplementedError

    def remove(self) -> None:
        """Remove the pack."""
        raise NotImplementedError

    def left(self) -> list[Path]:
        """The files of skills that are there after the removal."""
        names = [path.parent.name for path in self.pack.glob("skills/*/SKILL.md")]
        return [path for path in self.home.rglob("*") if {*names} & {*path.parts}]


class ClaudeCode(Client):
    """Claude Code installs a plugin from a marketplace."""

    name = "claude"

    def install(self) -> None:
        """From the pack's folder, or from `source`."""
        assert "Validation passed" in self.run("plugin", "validate", self.source)
        self.run("plugin", "marketplace", "add", self.source)
        self.run("plugin", "install", f"{self.plugin}@{self.plugin}")

    def loaded(self) -> set[str]:
        """As the client itself says."""
        if not self._installed():
            return set()
        details = self.run("plugin", "details", self.plugin)
        assert re.search(r"Hooks \(0\)", details) and re.search(r"MCP servers \(0\)", details)
        return {*re.findall(r"^  ([a-z0-9-]+) +[<~0-9]", details, re.MULTILINE)}

    def place(self) -> Path:
        """Where this client puts them."""
        return Path(self._installed()[0]["installPath"]) / "skills"

    def remove(self) -> None:
        """By the client's own command."""
        self.run("plugin", "uninstall", self.plugin)
        self.run("plugin", "marketplace", "remove", self.plugin)
        assert self.plugin not in (self.home / ".claude" / "settings.json").read_text()

    def left(self) -> list[Path]:
        """It keeps removed plugins for some days, marked, and does not load them."""
        marked = {mark.parent for mark in self.home.rglob(".orphaned_at")}
        return [path for path in super().left() if not marked & {*path.parents}]

    def _installed(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = json.loads(self.run("plugin", "list", "--json"))
        return found


class Codex(Client):
    """Codex installs from the marketplace of Claude Code."""

    name = "codex"

    def install(self) -> None:
        """From the pack's folder, or from `source`."""
        self.run("plugin", "marketplace", "add", self.source)
        said = self.run("plugin", "add", f"{self.plugin}@{self.plugin}")
        self.root = Path(said.partition("plugin root: ")[2].strip())

    def loaded(self) -> set[str]:
        """As the client itself says."""
        prompt = self.run("debug", "prompt-input", "hello")
        return {*re.findall(rf"- {self.plugin}:([a-z0-9-]+): ", prompt)}

    def found(self) -> set[str]:
        """As the client itself says."""
        return {*re.findall(r"- ([a-z0-9-]+): ", self.run("debug", "prompt-input", "hello"))}

    def place(self) -> Path:
        """Where this client puts them."""
        return self.root / "skills"

    def remove(self) -> None:
        """By the client's own command."""
        self.run("plugin", "remove", f"{self.plugin}@{self.plugin}")
        self.run("plugin", "marketplace", "remove", self.plugin)


class Gemini(Client):
    """Gemini CLI installs an extension."""

    name = "gemini"

    def install(self) -> None:
        """From the pack's folder, or from `source`."""
        self.run("extensions", "validate", self.source)
        # Whether the folder is to be trusted.
        self.run("extensions", "install", self.source, "--consent", answer="y\n")

    def loaded(self) -> set[str]:
        """As the client itself says."""
        listed = self.run("skills", "list")
        return {*re.findall(r"^([a-z0-9-]+) \[Enabled\]", listed, re.MULTILINE)}

    def place(self) -> Path:
        """Where this client puts them."""
        return self.home / ".gemini" / "extensions" / self.plugin / "skills"

    def remove(self) -> None:
        """By the client's own command."""
        self.run("extensions", "uninstall", self.plugin)


class Skills(Client):
    """`npx skills` copies skills into a project, for Claude Code, Codex and Gemini CLI."""

    name = "skills"

    def install(self) -> None:
        """From the pack's folder, or from `source`."""
        agents = ("claude-code", "codex", "gemini-cli")
        self.run("add", self.source, "--skill", "*", "--agent", *agents, "--yes")

    def loaded(self) -> set[str]:
        """As the client itself says."""
        return {it["name"] for it in json.loads(self.run("list", "--json"))}

    def place(self) -> Path:
        """Where this client puts them."""
        return self.project / ".agents" / "skills"

    def remove(self) -> None:
        """By the client's own command."""
        self.run("remove", "--all", "--yes")
        assert json.loads((self.project / "skills-lock.json").read_text())["skills"] == {}


CLIENTS: tuple[type[Client], ...] = (ClaudeCode, Codex, Gemini, Skills)
