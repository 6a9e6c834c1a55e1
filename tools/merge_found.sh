#!/bin/sh
# Merges the evidence in the folders below FOUND, drafts the log entry on what changed, and prints
# both as Markdown.
#
#     tools/merge_found.sh FOUND
set -eu
cd "$(dirname "$0")/.."
found=$1
python=${PYTHON:-python3}
draft=playbooks/logs/$(date +%F)-releases.md

echo "## What was merged"
echo '```'
"$python" -m validators merge "$found"/*
echo '```'
"$python" -m validators draft-entry --from HEAD --to playbooks/evidence --out "$draft" || exit $?
if [ -e "$draft" ]; then
    echo "## The draft of a log entry"
    echo '````markdown'
    cat "$draft"
    echo '````'
else
    echo "No verdict changed."
fi
