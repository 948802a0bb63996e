import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { renderRecording } from '../../src/recordings/file/render-recording.js';
import { writeRecording } from '../../src/recordings/file/write-recording.js';
import { replayFile } from '../../src/recordings/index.js';
import type { ReplayOutcome, RunReplay } from '../../src/sandbox/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { integration, sampleRecording } from './sample-recording.js';

const { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } = fs;

/** Runs before the next file is opened, which is after the check whether the recording exists. */
let beforeOpen: (() => void) | undefined;
vi.mock(import('node:fs'), async (original) => {
  const real = await original();
  const openSync: typeof real.openSync = (...given) => {
    const run = beforeOpen;
    beforeOpen = undefined;
    run?.();
    return real.openSync(...given);
  };
  return { ...real, openSync };
});

const text = renderRecording(sampleRecording({}));

test('keeps a recording that another command writes at the same time', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'recordings/a.json');
  beforeOpen = () => writeFileSync(file, 'other');
  expect(() => writeRecording(file, sampleRecording(), { within: folder, replace: false })).toThrow(
    'already exists',
  );
  expect(readFileSync(file, 'utf8')).toBe('other');
  expect(readdirSync(join(folder, 'recordings'))).toEqual(['a.json']);
});

test.each([
  ['edit', text.replace('"space_view"', '"renamed by the author"'), 'changed while its calls were replayed'],
  ['merged', text.replace('  "at"', '<<<<<<< HEAD\n  "at"'), 'merge conflict on line 5'],
])('--update keeps a recording that is %s during the replay', async (_, edited, problem) => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.json');
  writeFileSync(file, text);
  const run: RunReplay = (_script, { calls }) => {
    writeFileSync(file, edited);
    const outcome: ReplayOutcome = {
      response: { status: 204, headers: [], body: { text: '' } },
      outbound: [],
      logs: [],
      rejected: [],
      unrepeatable: [],
      durationMs: 1,
    };
    return Promise.resolve(calls.map(() => outcome));
  };
  const project = { folder, integration, declared: ['API_KEY'], script: { code: '', map: '' }, run };
  await expect(replayFile(file, project, { update: true })).rejects.toThrow(problem);
  expect(readFileSync(file, 'utf8')).toBe(edited);
});

test.each([
  ['a file', (path: string) => writeFileSync(path, '')],
  ['a symbolic link', (path: string) => symlinkSync('/nowhere/at/all', path)],
])('reports %s at the path of the recordings folder', (kind, create) => {
  const folder = temporaryFolder();
  create(join(folder, 'recordings'));
  const file = join(folder, 'recordings/a.json');
  expect(() => writeRecording(file, sampleRecording(), { within: folder, replace: false })).toThrow(
    `recordings is ${kind}, not a folder`,
  );
});

test('writes a recording with a name as long as the file system allows', () => {
  const folder = temporaryFolder();
  const file = join(folder, `${'a'.repeat(250)}.json`);
  writeRecording(file, sampleRecording({}), { within: folder, replace: true });
  expect(readRecording(file)).toEqual(sampleRecording({}));
});

test('reads a recording that a Windows program has saved', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.json');
  writeFileSync(file, `\uFEFF${text.replaceAll('\n', '\r\n')}`);
  expect(readRecording(file)).toEqual(sampleRecording({}));
  writeFileSync(file, Buffer.from(`\uFEFF${text}`, 'utf16le'));
  expect(() => readRecording(file)).toThrow('it is not UTF-8');
  mkdirSync(join(folder, 'b.json'));
  expect(() => readRecording(join(folder, 'b.json'))).toThrow('a folder');
});
