#!/usr/bin/env bash
# Plants faults in the conversation machine and counts those that no test notices.
# Stryker edits the files it mutates, so it is given a copy. Arguments go to it: --mutate 'packages/core/src/conversation/turn.ts'
set -euo pipefail
cd "$(dirname "$0")/.."

home=$PWD
copy=$(mktemp -d "${TMPDIR:-/tmp}/antiphon-mutate.XXXXXX")
trap 'rm -rf "$copy"' EXIT

git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$copy"
cd "$copy"
npm ci --prefer-offline >/dev/null
status=0
npx stryker run "$@" || status=$?
mkdir -p "$home/reports"
cp -r reports/. "$home/reports/"
exit "$status"
