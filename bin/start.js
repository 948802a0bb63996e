'use strict';
// CommonJS, and run through V8's code cache: together they halve what starting costs over plain Node.
const {
  chmodSync,
  existsSync,
  fstatSync,
  lstatSync,
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
const { dirname, isAbsolute, join } = require('node:path');
const { Script } = require('node:vm');

/** Runs a bundle in `dist`, with the arguments of the command line. `name` is the command that the user started. */
module.exports = function start(name, bundle) {
  const file = join(__dirname, '../dist', bundle);
  // The command loads ES modules with `require`, which older versions of Node refuse.
  if (!process.features.require_module) {
    process.stderr.write(
      `error ${name} needs Node 20.19 or later (Node 22: 22.12 or later). This is Node ${process.versions.node}.\n` +
        '  Install a newer version of Node, then run the command again.\n',
    );
    process.exitCode = 2;
  } else if (existsSync(file)) {
    const words = process.argv.slice(2);
    // A command's cache that was made by its help would lack what the command itself runs.
    const showsHelp = words.includes('--help') || words.includes('-h');
    const main = loadCached(file, cacheFileOf(file, showsHelp ? '--help' : words[0]));
    main(words).then((code) => (process.exitCode = code));
  } else {
    process.stderr.write(
      'error This copy of platform is not built yet.\n  Run "npm ci && npm run build" in its folder.\n',
    );
    process.exitCode = 2;
  }
};

/** One for each command: a cache holds the functions that ran when it was made. */
function cacheFileOf(file, word = '') {
  const { size, mtimeMs } = statSync(file);
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const caches = XDG_CACHE_HOME || LOCALAPPDATA || cachesAtHome();
  if (!caches || !isAbsolute(caches)) return undefined;
  const folder = join(caches, 'integration-platform');
  if (!isSafePlace(folder)) return undefined;
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

/**
 * A cache is code. It is not used if a project could have brought it, or if other users could have put it
 * there or replaced one of the folders around it. A link could lead to such a place.
 */
function isSafePlace(folder) {
  const projectMarks = ['.git', '.hg', '.svn', '.jj', 'package.json', 'platform-manifest.yaml'];
  try {
    const here = statSync('.');
    const user = process.getuid?.();
    for (let at = folder; ; at = dirname(at)) {
      const stats = lstatSync(at, { throwIfNoEntry: false });
      if (stats) {
        const { uid, mode, ino, dev } = stats;
        if (!stats.isDirectory() || (ino === here.ino && dev === here.dev)) return false;
        const isOthers = user !== undefined && uid !== user && (uid !== 0 || at === folder);
        // In a sticky folder, such as /tmp, nobody can replace the folders of others.
        const isOpen = user !== undefined && mode & 0o022 && !(mode & 0o1000);
        if (isOthers || isOpen || projectMarks.some((name) => existsSync(join(at, name)))) return false;
      }
      if (at === dirname(at)) return true;
    }
  } catch {
    return false;
  }
}

/** No archive or repository that is unpacked as usual has such a folder. */
function isClosed(folder) {
  return !process.getuid || (statSync(folder).mode & 0o777) === 0o700;
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
    if (!isClosed(dirname(cacheFile))) return undefined;
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
    const folder = dirname(cacheFile);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isClosed(folder)) {
      // Nobody knows where these are from.
      for (const name of cachesIn(folder)) rmSync(join(folder, name));
      chmodSync(folder, 0o700);
    }
    const unfinished = `${cacheFile}.${process.pid}`;
    writeFileSync(unfinished, script.createCachedData(), { mode: 0o600 });
    renameSync(unfinished, cacheFile);
    removeOldCaches(folder);
  } catch {
    // A folder that can't be written costs some milliseconds, nothing else.
  }
}

/** Other versions of the command and of Node leave theirs. One that is still in use is written again. */
function removeOldCaches(folder) {
  const days = 30;
  for (const name of cachesIn(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < Date.now() - days * 86_400_000) rmSync(path);
  }
}

function cachesIn(folder) {
  return readdirSync(folder).filter((name) => name.includes('.cache'));
}
