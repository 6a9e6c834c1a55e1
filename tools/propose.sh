#!/bin/sh
# Opens a pull request with the evidence and the drafts in this checkout; GitHub's `gh` does it.
#
#     tools/propose.sh BRANCH
set -eu
cd "$(dirname "$0")/.."
branch=$1
if [ -z "$(git status --porcelain playbooks)" ]; then
    echo "nothing to propose: the evidence is as it was"
    exit 0
fi
git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --quiet --create "$branch"
git add playbooks/evidence playbooks/logs
git commit --quiet --message "evidence: record what the releases decided"
git push --quiet origin "$branch"
gh pr create --head "$branch" --title "evidence: record what the releases decided" --body \
    "Evidence of the workflow, and the draft of a log entry where a verdict changed. Write the reasons where it says REWRITE before you merge."
