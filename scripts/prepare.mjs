// Runs after `npm install` in a checkout, and when npm installs this package from Git.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const has = (path) => existsSync(`${root}${path}`);

/**
 * `npm install -g` passes its own options to the nested installation, so npm installs no development
 * dependencies in its clone.
 */
const passedOn = /^npm_config_(global|location|install_links|omit|production)$/i;

function npm(...args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !passedOn.test(name)));
  // Standard output is reserved for `npm pack`, which prints a file name.
  const stdio = ['ignore', 'ignore', 'inherit'];
  execFileSync(process.execPath, [process.env.npm_execpath, ...args], { cwd: root, env, stdio });
}

if (!has('dist/cli/main.cjs')) {
  if (!has('node_modules/tsx')) npm('ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund');
  npm('run', 'build', '--silent');
}
