import { createFixture } from 'fs-fixture';
import { describe, expect, test } from 'vitest';
import { createFailures, failureOf } from '../../../src/emulator/calls/call-failure.js';
import type { TrafficEntry, TrafficLog } from '../../../src/store/calls/call-log.js';
import { callEntry } from '../../support/call-entry.js';

const entry = (fields: Partial<TrafficEntry> = {}): TrafficEntry =>
  callEntry('call_1', { outcome: 'failed', ...fields });
const thrown = [
  { level: 'error' as const, time: 0, text: '[integrations] Error: Oh\n    at run (src/index.ts:4:3)' },
];
const place = { file: 'src/index.ts', line: 4, column: 3 };

describe('why a call failed', () => {
  test.each<[string, Partial<TrafficEntry>, object | undefined]>([
    [
      'the thrown error',
      { error: 'Internal server error', logs: thrown },
      { message: 'Error: Oh', ...place },
    ],
    ['an error that the caller saw', { error: 'No such page' }, { message: 'No such page' }],
    ['what ended the call', { error: 'It took 10 s', logs: thrown }, { message: 'It took 10 s', ...place }],
    [
      'the status alone',
      { response: { status: 503, headers: [] } },
      { message: 'The script responded with 503.' },
    ],
    ...[
      '[integrations] waitUntil failed Error: Oh',
      'A promise passed to waitUntil was rejected: Error: Oh',
    ].map((text): [string, Partial<TrafficEntry>, object] => [
      `the work that failed after its response: ${text}`,
      {
        outcome: 'ok',
        logs: [{ level: 'error', time: 0, text: `${text}\n    at run (src/index.ts:4:3)` }],
      },
      { message: 'waitUntil failed: Error: Oh', ...place },
    ]),
    ['nothing for a call that went well', { outcome: 'ok', logs: thrown }, undefined],
    ['nothing for what ran outside of calls', { source: 'script', logs: thrown }, undefined],
  ])('is %s', (_, fields, expected) => {
    expect(failureOf(entry(fields))).toEqual(expected);
  });
});

describe('the lines around its place', () => {
  const failures = (folder: string | undefined, failed: TrafficEntry) =>
    createFailures({ flush: () => {}, get: () => failed } as Partial<TrafficLog> as TrafficLog, folder).of(
      'call_1',
    );
  const failed = (path: string) =>
    entry({
      logs: [{ level: 'error', time: 0, text: `[integrations] Error: Oh\n    at run (${path}:4:3)` }],
    });

  test('are read from the project’s folder', async () => {
    await using project = await createFixture({ 'src/index.ts': '1\n2\n3\n4\n5\n6\n7\n' });
    expect(await failures(project.path, failed('src/index.ts'))).toMatchObject({
      frame: { firstLine: 2, lines: ['2', '3', '4', '5', '6'] },
    });
  });

  test('are left out where there is no such line, no such file, or no folder', async () => {
    await using project = await createFixture({ 'src/short.ts': '1\n' });
    for (const [folder, path] of [
      [project.path, 'src/short.ts'],
      [project.path, 'src/gone.ts'],
      [undefined, 'src/short.ts'],
    ] as const)
      expect(await failures(folder, failed(path))).toEqual({
        message: 'Error: Oh',
        file: path,
        line: 4,
        column: 3,
      });
  });

  test('never come from outside of the folder', async () => {
    await using outside = await createFixture({ 'secret.ts': '1\n2\n3\n4\n', 'project/index.ts': '' });
    const failure = await failures(outside.getPath('project'), failed('../secret.ts'));
    expect(failure).not.toHaveProperty('frame');
  });
});
