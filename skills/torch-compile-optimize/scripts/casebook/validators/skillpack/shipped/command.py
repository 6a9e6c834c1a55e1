"""The program of the skills: its verbs, JSON on stdout, messages on stderr, exit status."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from typing import NoReturn

from validators import __version__
from validators.errors import CasebookError, sentence_of
from validators.skillpack.shipped import diagnose, match, scan, verify_fix
from validators.skillpack.shipped.answer import MOST, as_json

_ABOUT = "What torch.compile really does: find a known cause, and prove a fix."
_VERBS = {"match": match, "diagnose": diagnose, "scan": scan, "verify-fix": verify_fix}


def main() -> NoReturn:
    """Print what a verb answers and exit; errors that users can fix are one sentence."""
    given = _parser().parse_args()
    try:
        answer, status = given.answer(given)
    except CasebookError as error:
        _fail(str(error), 2)
    except OSError as error:
        _fail(sentence_of(error), 2)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    with contextlib.suppress(BrokenPipeError):  # somebody reads only the beginning
        print(as_json(answer), flush=True)
        sys.exit(status)
    os._exit(status)


def _parser() -> argparse.ArgumentParser:
    program = argparse.ArgumentParser(prog="casebook.py", description=_ABOUT)
    program.add_argument("--version", action="version", version=__version__)
    verbs = program.add_subparsers(required=True, metavar="VERB")
    for name, module in _VERBS.items():
        verb = verbs.add_parser(
            name,
            help=module.ABOUT.partition("\n")[0],
            description=module.ABOUT,
            epilog=f"Exit status: {module.STATUS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        verb.add_argument("--full", action="store_true", help=f"Print more than {MOST} characters.")
        module.add_options(verb)
        verb.set_defaults(answer=module.answer)
    return program


def _fail(message: str, status: int) -> NoReturn:
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(status)
