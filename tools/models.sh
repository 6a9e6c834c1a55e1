#!/bin/sh
# Prints the Python of an environment that has a release of torch and the packages of
# reference_models/real. If there is none with the present pins, makes one, beside the other caches.
#
#     tools/models.sh [TORCH]     without TORCH, the release in .venv, or in $PYTHON
#
# All is in one site-packages, as users have it: torch is linked from tools/environment.sh.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

torch_of() { "$1" -c 'import importlib.metadata as m; print(m.version("torch"))' 2>/dev/null; }
site_of() { "$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))'; }

if [ $# -gt 0 ]; then
    torch=$1
else
    python=${PYTHON:-$here/.venv/bin/python}
    torch=$(torch_of "$python") || {
        echo "Error: $python has no torch; run make, or name one with PYTHON=..." >&2
        exit 2
    }
    torch=${torch%%+*}
fi
below=$(sh "$here/tools/environment.sh" "$torch")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/torch-compile-casebook/models/torch-$torch

# The pins of an extra of pyproject.toml, one per line.
pins() {
    "$below" - "$here/pyproject.toml" "$1" <<'PYTHON'
import sys
try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib
with open(sys.argv[1], "rb") as file:
    extras = tomllib.load(file)["project"]["optional-dependencies"]
print("\n".join(extras.get(sys.argv[2], [])))
PYTHON
}

# The packages that are installed alone; those for this release of torch come first.
alone() {
    { pins "models-torch-$(echo "$torch" | cut -d. -f1,2 | tr . -)"; pins models-alone; } |
        awk -F== 'NF && !seen[$1]++'
}

install() {
    "$folder/bin/python" -m pip --disable-pip-version-check install --quiet "$@" >&2
}

wanted="$below
$(pins models)
alone:
$(alone)"
if [ "$(cat "$folder/has" 2>/dev/null)" != "$wanted" ]; then
    # Two at once would clear what the other installs.
    mkdir -p "$(dirname "$folder")"
    exec 9>"$folder.lock"
    ! command -v flock >/dev/null || flock 9
fi
if [ "$(cat "$folder/has" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$folder"
    "$below" -m venv --without-pip "$folder" >&2
    site=$(site_of "$folder/bin/python")
    cp -al "$(site_of "$below")/." "$site" 2>/dev/null || cp -a "$(site_of "$below")/." "$site"
    # The torch that is there stays, whatever a package asks for.
    echo "torch==$torch" >"$folder/constraints.txt"
    pins models >"$folder/models.txt"
    alone >"$folder/alone.txt"
    install --constraint "$folder/constraints.txt" --requirement "$folder/models.txt"
    install --no-deps --requirement "$folder/alone.txt"
    # The operators of torchaudio refuse a torch for another CUDA, and it runs without them.
    rm -f "$site"/torchaudio/lib/*.so
    case $(torch_of "$below") in
    *+cpu) sh "$here/tools/torchvision_on_cpu.sh" "$folder/bin/python" ;;
    esac
    echo "$wanted" >"$folder/has"
fi
echo "$folder/bin/python"
