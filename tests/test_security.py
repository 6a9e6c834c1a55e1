"""What SECURITY.md promises, read from the pack's files and the syntax of programs."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Set
from functools import cache
from pathlib import Path

import pytest

from validators.catalog.page import parse_fields, split_page
from validators.files import ROOT
from validators.skillpack.skill_file import SkillFields

STARTS_BY_ITSELF = (
    ".claude/settings.json",
    ".codex-plugin",
    ".lsp.json",
    ".mcp.json",
    "agents",
    "bin",
    "commands",
    "hooks",
    "mcp.json",
    "monitors",
    "output-styles",
    "settings.json",
)
"""Where clients look for what they run, below the root of a plugin."""
READING_TOOLS = {"Read", "Grep", "Glob"}
TEXT = {".json", ".jsonl", ".md", ".py", ".txt", ".yaml", ""}
NETWORK = {
    "aiohttp",
    "ftplib",
    "http",
    "httpx",
    "imaplib",
    "poplib",
    "requests",
    "smtplib",
    "socketserver",
    "ssl",
    "telnetlib",
    "urllib.request",
    "urllib3",
    "webbrowser",
    "xmlrpc",
}
CONNECTS = {"create_connection", "create_server", "open_connection", "socket", "start_server"}
"""What opens a connection, unless it is given a socket or a descriptor that is there."""
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
SHELLS |= {"asyncio.create_subprocess_shell"}
RUNS_EXAMPLES = {"validators/worker/example.py"}
OWN_PICKLES = {
    "validators/probes/results.py",
    "validators/inspector/calls/recording.py",
}
"""They read what processes of the same run wrote into its temporary folder."""

Found = Iterator[str]


def programs(root: Path) -> dict[str, Path]:
    """The machine's modules and the scripts of skills, by their names.

    The catalog's proofs are left out: each runs in a process of its own, and shows what torch does
    with it.
    """
    folders = (root / "validators").rglob("*.py"), (root / "skills").glob("*/scripts/**/*.py")
    return {str(file.relative_to(root)): file for folder in folders for file in folder}


def origin(name: str) -> str:
    """The name in the machine of a module that a skill carries, else its own name."""
    _, carried, rest = name.rpartition("/validators/")
    return f"validators/{rest}" if carried else name


def findings(
    root: Path, look: Callable[[ast.AST], Found], allowed: Set[str] = frozenset()
) -> list[str]:
    """What `look` finds in any program but the `allowed` ones, each with its place."""
    return [
        f"{name}:{getattr(node, 'lineno', 0)}: {what}"
        for name, path in sorted(programs(root).items())
        if origin(name) not in allowed
        for node in nodes(path)
        for what in look(node)
    ]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """The syntax of a program, read once for all tests."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def shells(node: ast.AST) -> Found:
    """A command that a shell would read."""
    if isinstance(node, ast.Call):
        if ast.unparse(node.func) in SHELLS:
            yield ast.unparse(node.func)
        if any(it.arg == "shell" and ast.unparse(it.value) != "False" for it in node.keywords):
            yield "shell="
    if isinstance(node, ast.List | ast.Tuple) and len(node.elts) > 1:
        first, second = (ast.unparse(it).strip("'") for it in node.elts[:2])
        if re.fullmatch(r"(/bin/)?(ba|z|da)?sh", first) and second.startswith("-"):
            yield f"{first} {second}"


def evaluations(node: ast.AST) -> Found:
    """A call that runs text as code."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"eval", "exec", "builtins.exec"}:
        yield ast.unparse(node.func)


def unpickling(node: ast.AST) -> Found:
    """A module or a call that builds objects from a file's orders."""
    safe = isinstance(node, ast.Call) and any(
        it.arg == "weights_only" and ast.unparse(it.value) == "True" for it in node.keywords
    )
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "torch.load" and not safe:
        yield "torch.load"
    yield from (it for it in modules(node) if it in {"pickle", "marshal", "shelve", "dill"})


def connections(node: ast.AST) -> Found:
    """A module that speaks to a network, or a call of `socket` or `asyncio` that does."""
    for module in modules(node):
        if any(f"{module}.".startswith(f"{it}.") for it in NETWORK):
            yield module
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = {it.arg for it in node.keywords}
        if node.func.attr in CONNECTS and not given & {"fileno", "sock"}:
            yield node.func.attr


def questions(node: ast.AST) -> Found:
    """A prompt at the terminal."""
    asks = {"input", "getpass.getpass", "click.prompt", "click.confirm"}
    if isinstance(node, ast.Call) and ast.unparse(node.func) in asks:
        yield ast.unparse(node.func)


def modules(node: ast.AST) -> Found:
    """The modules that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (it.name for it in node.names)
    if isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{it.name}" for it in node.names)


def test_the_programs_are_found() -> None:
    """A reader that found nothing would find nothing wrong."""
    assert len(programs(ROOT)) > 150


def test_no_program_starts_a_shell() -> None:
    """Commands are lists of words, so that no text in them is an order."""
    assert findings(ROOT, shells) == []


def test_no_text_is_evaluated() -> None:
    """The exception runs examples of the pages."""
    assert findings(ROOT, evaluations, RUNS_EXAMPLES) == []


def test_only_own_files_are_unpickled() -> None:
    """A foreign pickle could run anything."""
    assert findings(ROOT, unpickling, OWN_PICKLES) == []


def test_nothing_uses_a_network() -> None:
    """No client of a protocol is imported; sockets join processes of one machine."""
    assert findings(ROOT, connections) == []


def test_nothing_asks_at_the_terminal() -> None:
    """An agent could not answer."""
    assert findings(ROOT, questions) == []


@pytest.mark.parametrize(
    ("look", "line"),
    [
        (shells, "import os; os.system(log)"),
        (shells, "subprocess.run(log, shell=True)"),
        (shells, "subprocess.run(['sh', '-c', log])"),
        (evaluations, "eval(log)"),
        (evaluations, "def f(log):\n    exec(log)"),
        (unpickling, "from pickle import loads"),
        (unpickling, "torch.load(log)"),
        (unpickling, "torch.load(log, weights_only=False)"),
        (connections, "from urllib import request"),
        (connections, "import http.client"),
        (connections, "socket.create_connection(place)"),
        (connections, "socket.socket().connect(place)"),
        (questions, "answer = input()"),
    ],
)
def test_a_planted_danger_is_found(
    tmp_path: Path, look: Callable[[ast.AST], Found], line: str
) -> None:
    """In a module of the machine, and in a script of a skill."""
    for name in ("validators/one.py", "skills/a/scripts/casebook/validators/one.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(line)
    assert len(findings(tmp_path, look)) == 2
    assert findings(tmp_path, look, {"validators/one.py"}) == []


def test_what_is_no_danger_is_left_alone(tmp_path: Path) -> None:
    """Names that merely look like it."""
    (tmp_path / "validators").mkdir()
    text = "import urllib.parse, socket\nast.literal_eval(x)\nmodel.eval()\nsubprocess.run(['ls'])"
    text += "\ntorch.load(x, weights_only=True)\nsocket.socketpair()"
    text += "\nsocket.socket(fileno=3)"
    (tmp_path / "validators" / "one.py").write_text(text)
    for look in (shells, evaluations, unpickling, connections, questions):
        assert findings(tmp_path, look) == []


def test_the_pack_has_no_part_that_starts_by_itself() -> None:
    """Clients load such parts without asking for each."""
    assert [name for name in STARTS_BY_ITSELF if (ROOT / name).exists()] == []


def test_skills_ask_for_tools_that_read_at_most() -> None:
    """A tool that is allowed in advance is not asked about again."""
    pages = sorted((ROOT / "skills").glob("*/SKILL.md"))
    assert len(pages) == 6
    for page in pages:
        fields = parse_fields(page, split_page(page)[0], SkillFields)
        assert set(fields.tools.split()) <= READING_TOOLS, page


def test_the_pack_holds_text_only() -> None:
    """What nobody can read, nobody can check."""
    found = [it for it in (ROOT / "skills").rglob("*") if "__pycache__" not in it.parts]
    assert [it for it in found if it.is_symlink()] == []
    files = [it for it in found if it.is_file()]
    assert [it for it in files if it.suffix not in TEXT] == []
    for file in files:
        file.read_text("utf-8")


def test_every_line_names_a_test() -> None:
    """And each of these tests is there."""
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    lines = re.findall(r"^- (.*)$", text, re.MULTILINE)
    assert len(lines) > 10
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line)
        assert named, line
        assert [it for it in named if f"def {it}(" not in tests] == [], line
