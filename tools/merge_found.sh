#!/bin/sh
# Merges the evidence in the folders below FOUND, drafts the log entries on what changed, and prints
# both as Markdown. A new column is compared with that of the release before.
#
#     tools/merge_found.sh FOUND
set -eu
cd "$(dirname "$0")/.."
found=$1
python=${PYTHON:-python3}
drafts=playbooks/logs/$(date +%F)

draft() { # FILE OPTION...
    file=$1
    shift
    "$python" -m validators draft-entry "$@" --out "$file" >&2 || return $?
    if [ -e "$file" ]; then
        echo "## The draft of a log entry: $file"
        echo '````markdown'
        cat "$file"
        echo '````'
    else
        echo "No verdict changed ($*)."
    fi
}

echo "## What was merged"
echo '```'
"$python" -m validators merge "$found"/*
echo '```'
draft "$drafts-releases.md" --from HEAD --to playbooks/evidence
# Git names a folder, with a slash at its end, only if all files in it are new.
git ls-files --others --directory playbooks/evidence/environments | sed -n 's,/$,,p' |
    while read -r folder; do
        column=${folder##*/}
        # The first column of a device has nothing before it, which the command says.
        draft "$drafts-$(echo "$column" | tr . -).md" --to "$column" || true
    done
