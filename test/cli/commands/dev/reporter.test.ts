import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReporter, type Reporter } from '../../../../src/cli/commands/dev/reporter.js';
import { sampleEvent } from '../../../../src/protocol/sample-events.js';
import { createStyle } from '../../../../src/terminal/style.js';
import { callEntry } from '../../../support/call-entry.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const told = (options: {
  quiet: boolean;
  waits: boolean;
  cwd?: string;
}): { reporter: Reporter; text(): string; errors(): string } => {
  let printed = '';
  let errors = '';
  const context = {
    style: createStyle(false),
    width: 80,
    wrapAt: 80,
    cwd: options.cwd ?? '/',
    json: false,
    quiet: options.quiet,
    print: (text: string) => void (printed += `${text}\n`),
    emit: () => {},
    io: { stderr: { isTTY: false, columns: 80, write: (text: string) => void (errors += text) } },
  };
  return { reporter: createReporter(context, options.waits), text: () => printed, errors: () => errors };
};

const failed = '\nerror The script was built, but failed to load:\n          error 1\n';

test.each([
  [true, `${failed}Waiting for a change.\n\n`, ''],
  // With --exec, standard output belongs to the command.
  [false, '', failed],
])('reports a script that throws while loading (waits for a change: %s)', (waits, output, problems) => {
  const { reporter, text, errors } = told({ quiet: false, waits });
  reporter.tell({ type: 'broken-script', message: '1' });
  expect([text(), errors()]).toEqual([output, problems]);
});

test('reports the line at which a script throws while loading', () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'index.ts'), "const address = '';\nthrow new Error('No address');\n");
  const { reporter, errors } = told({ quiet: false, waits: false, cwd });
  reporter.tell({ type: 'broken-script', message: 'Error: No address\n    at index.ts:2:7' });
  expect(errors()).toContain("> 2 | throw new Error('No address');");
});

test.each([
  [{ quiet: false, waits: false }, 'The banner\n          built in 7 ms\n'],
  [{ quiet: true, waits: false }, ''],
  [{ quiet: true, waits: true }, 'The banner\n          built in 7 ms\n'],
])('hides the banner with --quiet only if a command runs, but no errors: %j', (options, expected) => {
  const { reporter, text, errors } = told(options);
  reporter.tell({
    type: 'built',
    durationMs: 7,
    warnings: [],
    building: [],
    sources: new Map(),
    files: [],
  });
  reporter.ready({}, 'The banner');
  expect(text()).toBe(expected);
  reporter.tell({ type: 'broken-script', message: 'Oh' });
  const served = options.waits ? 'Waiting for a change. Still serving the last working build.' : '';
  expect(text() + errors()).toMatch(new RegExp(`error Oh\n(.*\n)*${served}`));
});

test('reports nothing before startup except the warning about slow loading', () => {
  const { reporter, text } = told({ quiet: false, waits: true });
  reporter.tell({ type: 'warning', code: 'missing-scope', message: 'Later.' });
  reporter.tell({ type: 'warning', code: 'long-load', message: 'Now.' });
  expect(text()).toBe('          warning Now.\n');
});

test('prints a warning below its call, or immediately if the call blocks the script', () => {
  const { reporter, text } = told({ quiet: false, waits: true });
  reporter.ready({}, 'The banner');
  const call = callEntry('call_1', { event: sampleEvent('space_view') });
  reporter.tell({ type: 'call-started', call });
  reporter.tell({ type: 'warning', code: 'missing-scope', message: 'It needs a scope.', call: 'call_1' });
  expect(text()).toBe('The banner\n');
  reporter.tell({ type: 'warning', code: 'blocked', message: 'call_1 is busy.', call: 'call_1' });
  expect(text()).toMatch(/^The banner\n +warning call_1 is busy\.\n$/);
  reporter.tell({ type: 'call-finished', call });
  expect(text()).toMatch(/\n\d\d:\d\d:\d\d {2}space_view .*\n {10}warning It needs a scope\.\n$/);
});
