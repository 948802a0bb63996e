import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runPlatform } from '../support/run-platform.js';

const full = '/dev/full';

test
  .skipIf(!existsSync(full))
  .each([[['rules']], [['rules', '--json']], [['--help']], [['explain', 'manifest/encoding']]])(
  '%j on a full standard output says so and exits with 2',
  async (argv) => {
    const stdout = openSync(full, 'w');
    const { code, stderr } = await runPlatform(argv, { stdout });
    closeSync(stdout);
    expect(code).toBe(2);
    expect(stderr).toContain('error Standard output could not be written: the disk is full.\n');
  },
);
