#!/usr/bin/env bash
# Runs the suites that need nothing installed, and the Postgres suite if anything that it tests has changed since main.
set -euo pipefail
projects=(--project 'unit*' --project e2e)
base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null || echo HEAD)
git diff --quiet "$base" -- src/webhooks src/store src/deliveries src/cli/commands/webhook test/deliveries package-lock.json ||
  projects+=(--project postgres)
vitest run "${projects[@]}" "$@"
