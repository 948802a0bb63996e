import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testedVersion } from '../../src/sandbox/workerd/find-workerd.js';

let installed: string | undefined;

/** Installs workerd where nothing else sees it; a folder that has it already can be named by WORKERD_FOLDER. */
export function setup(): void {
  if (process.env['WORKERD_FOLDER'] !== undefined) return;
  installed = mkdtempSync(join(tmpdir(), 'workerd-'));
  writeFileSync(join(installed, 'package.json'), '{"private":true}');
  // Its install script only checks the binary.
  execFileSync('npm', ['install', '--no-package-lock', '--ignore-scripts', `workerd@${testedVersion}`], {
    cwd: installed,
    stdio: 'pipe',
  });
  process.env['WORKERD_FOLDER'] = installed;
}

export function teardown(): void {
  if (installed !== undefined) rmSync(installed, { recursive: true, force: true });
}
