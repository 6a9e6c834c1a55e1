#!/bin/sh
# Opens a pull request with the evidence and the drafts in this checkout, and comments on it what
# SUMMARY says of them; GitHub's `gh` does it.
#
#     tools/propose.sh BRANCH SUMMARY
set -eu
branch=$1
summary=$(realpath "$2")
cd "$(dirname "$0")/.."
if [ -z "$(git status --porcelain playbooks)" ]; then
    echo "nothing to propose: the evidence is as it was"
    exit 0
fi
title="evidence: record what the releases decided"
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --quiet --create "$branch"
git add playbooks/evidence playbooks/logs
git commit --quiet --message "$title"
git push --quiet origin "$branch"
gh pr create --head "$branch" --title "$title" --body \
    "Evidence of the workflow, and the draft of a log entry where a verdict changed. Write the reasons where it says REWRITE before you merge."
# GitHub refuses longer comments; the file of the draft has all of it.
head -c 60000 "$summary" | gh pr comment "$branch" --body-file -
