#!/usr/bin/env bash
# Runs the static checks, as many at a time as there are cores. Prints only the output of those that fail.
set -euo pipefail
# The slowest are first. The linter also reports the errors of the type checker.
printf '%s\n' lint spelling web-types unused rooms words format layout |
  xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} bash -c \
    'output=$(npm run --silent check:{} 2>&1) || { printf "== npm run check:{}\n%s\n" "$output"; exit 1; }'
