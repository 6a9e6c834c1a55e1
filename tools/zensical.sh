#!/bin/sh
# Builds the site with Zensical, too, from what tools/site.sh wrote, and compares the two builds.
#
#     tools/zensical.sh PYTHON
#
# Material for MkDocs gets fixes until May 2027; until then this shows that the same mkdocs.yml and
# overrides do for its successor. 0.0.73 is the newest release that needs no other package.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -m venv "$work/venv"
"$work/venv/bin/python" -m pip --disable-pip-version-check install --quiet zensical==0.0.73
mkdir "$work/build"
cp -R mkdocs.yml site "$work/"
cp -R build/docs "$work/build/"
(cd "$work" && sh "$OLDPWD/tools/saying.sh" "building with Zensical" venv/bin/zensical build --clean)
"$1" tools/compare_builders.py build/site "$work/build/site"
