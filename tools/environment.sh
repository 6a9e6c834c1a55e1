#!/bin/sh
# Prints the Python of an environment that has a release of torch. If there is none, makes one: 5 GB,
# kept beside the other caches.
#
#     tools/environment.sh TORCH [--if-there]    with --if-there, makes none
set -eu
torch=$1
folder=${XDG_CACHE_HOME:-$HOME/.cache}/torch-compile-casebook/pythons/torch-$torch

leave_out() {
    echo "left out: torch $torch ($1)" >&2
    exit 1
}

if [ ! -e "$folder/has-numpy-tlparse" ]; then
    [ "${2:-}" != --if-there ] || leave_out "this machine has no environment for it"
    mkdir -p "$folder"
    # Two at once would clear what the other installs.
    exec 9>"$folder.lock"
    ! command -v flock >/dev/null || flock 9
fi
if [ ! -e "$folder/has-numpy-tlparse" ]; then
    [ "$(df --output=avail "$folder" | tail -n 1)" -ge $((10 * 1024 * 1024)) ] ||
        leave_out "less than 10 GB are free"
    # The oldest Python that arms may run in, for the older releases; it need not be on the PATH.
    python=python3
    case $torch in
    2.[0-9].* | 2.1[01].*)
        for candidate in python3.10 "$(pyenv root 2>/dev/null)"/versions/3.10.*/bin/python; do
            if "$candidate" -c "" 2>/dev/null; then python=$candidate; fi
        done
        ;;
    esac
    "$python" -m venv --clear "$folder" >&2 || leave_out "$python cannot make an environment"
    "$folder/bin/python" -m pip --disable-pip-version-check install --quiet \
        "torch==$torch" numpy tlparse >&2 || leave_out "it cannot be installed"
    touch "$folder/has-numpy-tlparse"
fi
echo "$folder/bin/python"
