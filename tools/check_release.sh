#!/bin/sh
# Installs each file of a folder of built distributions as users do, and tries it from an empty
# folder: beside the unrelated distribution `validators`, before and after it, and uninstalled.
#
#     [PYTHON=python3] tools/check_release.sh FOLDER
set -eu
python=${PYTHON:-python3}
checkout=$(cd "$(dirname "$0")/.." && pwd)
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
theirs="import validators; assert validators.email('someone@example.org') is True"

fail() {
    echo "Error: $1" >&2
    exit 1
}

check() { # DISTRIBUTION: what it installs, alone in an environment with `validators`
    "$python" -m venv "$work/env"
    pip="$work/env/bin/python -m pip --disable-pip-version-check --quiet"
    $pip install validators
    $pip install "$1"
    mkdir "$work/empty"
    cd "$work/empty"
    export HOME="$work/empty"
    casebook=$work/env/bin/casebook
    "$work/env/bin/python" -c "$theirs" || fail "$1: breaks the distribution validators"
    version=$("$casebook" --version | cut -d" " -f2 | tr -d ,)
    [ "$version" = "$expected" ] || fail "$1: is version $version, not $expected"
    echo "torch._dynamo hit config.recompile_limit (8)" >compile.log
    "$casebook" match compile.log | grep -q recompile_limit_falls_to_eager || fail "$1: match"
    "$casebook" show GB0059 | grep -q print_in_forward || fail "$1: show"
    [ "$("$casebook" list | wc -l)" -gt 400 ] || fail "$1: list"
    "$casebook" skills add --client agents >/dev/null || fail "$1: skills add"
    diff -r -x .casebook.json -x AGENTS-snippet.md .agents/skills "$checkout/skills" ||
        fail "$1: adds other skills than the checkout has"
    "$casebook" skills remove >/dev/null
    [ ! -e .agents ] || fail "$1: skills remove leaves something"
    $pip install --force-reinstall --no-deps validators
    "$casebook" --version >/dev/null || fail "$1: breaks where validators is installed after it"
    $pip uninstall --yes torch-compile-casebook
    "$work/env/bin/python" -c "$theirs" || fail "$1: its removal breaks the distribution validators"
    rm -rf "$work/env" "$work/empty"
}

expected=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$checkout/validators/__init__.py")
for file in "$folder"/*.whl "$folder"/*.tar.gz; do
    (check "$file")
    echo "$(basename "$file"): $(wc -c <"$file") bytes, works"
done
