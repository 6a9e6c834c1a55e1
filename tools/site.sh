#!/bin/sh
# Builds the site into build/site: tools/site.sh PYTHON [OPTION]...; options are `docsite build`'s.
set -e
python=$1
shift
"$python" -m docsite build "$@"
NO_MKDOCS_2_WARNING=1 sh tools/saying.sh "building the site" "$python" -m mkdocs build --strict
"$python" -m docsite finish
