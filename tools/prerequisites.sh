#!/bin/sh
# Names what is missing on this machine, in one sentence, before anything is installed.
python=$1
missing=""

need() { missing="$missing${missing:+, }$1"; }

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    need "Python 3.11 or newer (name one with PYTHON=...)"
elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    need "Python's venv module (Debian: python3-venv)"
fi
command -v "${CXX:-g++}" >/dev/null || command -v clang++ >/dev/null ||
    need "a C++ compiler (Debian: g++)"
# Inductor hashes the headers that it precompiles with the openssl program.
command -v openssl >/dev/null || need "openssl"

[ -z "$missing" ] && exit 0
echo "Error: this machine lacks $missing; install that and run make again." >&2
exit 2
