#!/usr/bin/env node
'use strict';
// CommonJS, and run through V8's code cache: together they halve what starting costs over plain Node.
const {
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');

const file = join(__dirname, '../dist/cli/main.cjs');
// The command loads ES modules with `require`, which older versions of Node refuse.
if (!process.features.require_module) {
  process.stderr.write(
    `error platform needs Node 20.19 or later (Node 22: 22.12 or later). This is Node ${process.versions.node}.\n` +
      '  Install a newer version of Node, then run the command again.\n',
  );
  process.exitCode = 2;
} else if (existsSync(file)) {
  const main = loadCached(file, cacheFileOf(file, process.argv[2]));
  main(process.argv.slice(2)).then((code) => (process.exitCode = code));
} else {
  process.stderr.write(
    'error This copy of platform is not built yet.\n  Run "npm ci && npm run build" in its folder.\n',
  );
  process.exitCode = 2;
}

/** One for each command: a cache holds the functions that ran when it was made. */
function cacheFileOf(file, word = '') {
  const { size, mtimeMs } = statSync(file);
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || cachesAtHome();
  if (!caches) return undefined;
  const folder = join(caches, 'integration-platform');
  const command = /^[a-z-]{1,20}$/.test(word) ? word : '';
  return join(folder, `${process.version}-${process.arch}-${size}-${Math.trunc(mtimeMs)}${command}.cache`);
}

/** A user of a container may have no home, or one that is not there. */
function cachesAtHome() {
  try {
    const home = homedir();
    return existsSync(home) ? join(home, '.cache') : undefined;
  } catch {
    return undefined;
  }
}

function loadCached(file, cacheFile) {
  const cachedData = cacheFile && readOwn(cacheFile);
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  if (cacheFile && (!cachedData || script.cachedDataRejected))
    process.once('exit', () => writeCache(cacheFile, script));
  const module = { exports: {} };
  script.runInThisContext()(require('node:module').createRequire(file), module, file);
  return module.exports.main;
}

/** Only what this user wrote: a cache is code. */
function readOwn(cacheFile) {
  try {
    const handle = openSync(cacheFile, 'r');
    try {
      return !process.getuid || fstatSync(handle).uid === process.getuid() ? readFileSync(handle) : undefined;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function writeCache(cacheFile, script) {
  // A word that is no command has no cache.
  if (process.exitCode === 2) return;
  try {
    mkdirSync(join(cacheFile, '..'), { recursive: true });
    const unfinished = `${cacheFile}.${process.pid}`;
    writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 });
    renameSync(unfinished, cacheFile);
    removeOldCaches(join(cacheFile, '..'));
  } catch {
    // A folder that can't be written costs some milliseconds, nothing else.
  }
}

/** Other versions of the command and of Node leave theirs. One that is still in use is written again. */
function removeOldCaches(folder) {
  const days = 30;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.includes('.cache') && statSync(path).mtimeMs < Date.now() - days * 86_400_000) rmSync(path);
  }
}
