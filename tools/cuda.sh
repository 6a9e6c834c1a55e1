#!/bin/sh
# Decides all claims about CUDA on this machine's GPU, the most useful first, for nine minutes, and
# records the evidence. Run it again, and it goes on where it stopped. It needs neither make nor a
# network: what the runner lacks comes from build/wheels (see `make wheels`), and PYTHON stays as it
# is. It asks no witnesses, which cost three times what the verdict does; a CPU has asked them.
#
#     [PYTHON=python3] sh tools/cuda.sh [OPTION OF run-all]...
#
# PYTHON runs the runner (3.11 or newer) and, unless --python names another, the arms.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "Error: $python: is older than Python 3.11; name a newer one with PYTHON=..." >&2
    exit 2
fi
if ! "$python" -c 'import click, msgspec, packaging, rich, yaml' 2>/dev/null; then
    export PYTHONPATH="$PWD/build/runner"
    offline=""
    [ ! -d build/wheels ] || offline="--no-index --find-links build/wheels"
    # shellcheck disable=SC2046,SC2086 # each is a list of words
    "$python" -m pip --disable-pip-version-check install --quiet --upgrade \
        --target "$PYTHONPATH" $offline $("$python" tools/runner_needs.py) || {
        echo "Error: $python: lacks what the runner needs; fill build/wheels with make wheels" >&2
        exit 2
    }
fi
# Where an installer left no bytecode, each arm that starts an interpreter would compile torch's
# sources by itself: a minute of a core on some machines.
"$python" - <<'END' || true
import compileall, importlib.util
for name in ("torch", "triton", "sympy"):
    found = importlib.util.find_spec(name)
    for folder in found.submodule_search_locations if found else ():
        compileall.compile_dir(folder, quiet=2, workers=0)
END
exec "$python" -m validators run-all --device cuda --record --budget 540 --witnesses none "$@"
