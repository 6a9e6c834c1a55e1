#!/bin/sh
# Runs a command and says every two seconds that it still runs: installers are silent for long.
#
#     tools/saying.sh WHAT COMMAND...
what=$1
shift
begun=$(date +%s)
echo "$what"
(while sleep 2; do echo "--- $what ($(($(date +%s) - begun)) s)"; done) &
watch=$!
trap 'kill "$watch" 2>/dev/null' EXIT
"$@"
