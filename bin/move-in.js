'use strict';
// Moves what lies in one folder into another: all of it, or nothing. It runs in a session of its own, so that
// whatever ends `platform init` meanwhile leaves no part.
const { readdirSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const [from, to] = process.argv.slice(2);
const moved = [];
try {
  for (const name of readdirSync(from)) {
    renameSync(join(from, name), join(to, name));
    moved.push(name);
  }
} catch (error) {
  for (const name of moved) rmSync(join(to, name), { recursive: true, force: true });
  process.stderr.write(error.code);
  process.exitCode = 1;
} finally {
  rmSync(from, { recursive: true, force: true });
}
