import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount, proved } from '../support/proved.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { apply } from './seeded-changes.js';
import { seededFaults } from './seeded-queue-faults.js';

test.each(proved(seededFaults, 2))(
  'the simulation finds a fault in the queue: $what',
  ({ file, change, store, tests }) => {
    const folder = temporaryFolder();
    for (const part of [
      'src',
      'test/simulation',
      'test/support',
      'test/webhooks',
      'package.json',
      'tsconfig.json',
    ])
      cpSync(part, join(folder, part), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const patched = join(folder, file);
    writeFileSync(patched, apply(readFileSync(patched, 'utf8'), change));
    const seeds = amount(100, store ? 100 : 1000);
    const argv = [
      '--import',
      'tsx',
      'test/simulation/run.ts',
      '--seeds',
      String(seeds),
      '--store',
      store ?? 'memory',
    ];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
    const [, found] = /^(\d+) of/.exec(stdout) ?? [];
    console.log(`${found} of ${seeds} seeds, ${tests} ordinary tests`);
    expect(Number(found), stdout + stderr).toBeGreaterThan(0);
  },
);
