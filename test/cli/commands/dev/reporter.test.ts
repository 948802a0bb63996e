import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReporter, type Reporter } from '../../../../src/cli/commands/dev/reporter.js';
import { createStyle } from '../../../../src/terminal/style.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const told = (options: {
  quiet: boolean;
  waits: boolean;
  cwd?: string;
}): { reporter: Reporter; text(): string } => {
  let printed = '';
  const context = {
    style: createStyle(false),
    width: 80,
    cwd: options.cwd ?? '/',
    json: false,
    quiet: options.quiet,
    print: (text: string) => void (printed += `${text}\n`),
    emit: () => {},
  };
  return { reporter: createReporter(context, options.waits), text: () => printed };
};

test.each([
  [true, 'Waiting for a change. Still serving the last working build.\n'],
  [false, ''],
])('a script that throws while loading is reported; what it waits for: %s', (waits, end) => {
  const { reporter, text } = told({ quiet: false, waits });
  reporter.tell({ type: 'broken-script', message: '1' });
  expect(text()).toBe(`\nerror The script was built, but failed to load:\n          error 1\n${end}\n`);
});

test('a script that throws while loading is reported with its line', () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'index.ts'), "const address = '';\nthrow new Error('No address');\n");
  const { reporter, text } = told({ quiet: false, waits: false, cwd });
  reporter.tell({ type: 'broken-script', message: 'Error: No address\n    at index.ts:2:7' });
  expect(text()).toContain("> 2 | throw new Error('No address');");
});

test.each([
  [{ quiet: false, waits: false }, 'The banner\n          built in 7 ms\n'],
  [{ quiet: true, waits: false }, ''],
  [{ quiet: true, waits: true }, 'The banner\n          built in 7 ms\n'],
])('--quiet only silences dev itself, not a command that it runs: %j', (options, expected) => {
  const { reporter, text } = told(options);
  reporter.tell({ type: 'built', durationMs: 7, warnings: [], building: [], sources: new Map(), files: [] });
  reporter.ready({}, 'The banner');
  expect(text()).toBe(expected);
  reporter.tell({ type: 'broken-script', message: 'Oh' });
  expect(text()).toContain('error Oh');
});

test('before the start, only the warning of a slow load is reported', () => {
  const { reporter, text } = told({ quiet: false, waits: true });
  reporter.tell({ type: 'warning', code: 'missing_scope', message: 'Later.' });
  reporter.tell({ type: 'warning', code: 'long-load', message: 'Now.' });
  expect(text()).toBe('          warning Now.\n');
});
