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
# Where an installer left no bytecode, each arm that starts an interpreter before the zygote has
# written it would compile torch's sources by itself. All cores do that sooner than the zygote.
# An `import torch` leaves only some of it.
"$python" - <<'END' || true
import compileall, importlib.util, os
found = filter(None, map(importlib.util.find_spec, ("torch", "triton", "sympy")))
folders = {it.name: os.path.dirname(it.origin) for it in found}
late = os.path.join(folders.get("torch", ""), "_inductor", "select_algorithm.py")
if os.path.exists(late) and not os.path.exists(importlib.util.cache_from_source(late)):
    for folder in folders.values():
        compileall.compile_dir(folder, quiet=2, workers=0)
END
exec "$python" -m validators run-all --device cuda --record --budget 540 --witnesses none "$@"
