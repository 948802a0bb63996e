import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { writeRecording } from '../../src/recordings/file/write-recording.js';
import { sampleRecording } from './sample-recording.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const withBodies = (count: number) =>
  sampleRecording(...Array.from({ length: count }, () => ({ body: 'x'.repeat(1024 * 1024) })));

test('writes only recordings that can be read again', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'recordings/large.json');
  const write = (count: number): void =>
    writeRecording(file, withBodies(count), { within: folder, replace: false });
  expect(() => write(32)).toThrow('larger than 32 MB');
  expect(existsSync(file)).toBe(false);
  write(31);
  expect(readRecording(file).calls).toHaveLength(31);
});

test('writes a large body once and compactly, and reads it again', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'recordings/list.json');
  const body = Array.from({ length: 2000 }, (_, id) => ({
    id,
    tags: ['a', 'b'],
    owner: { id: 1, kind: 'user' },
  }));
  const recording = {
    ...sampleRecording({
      outbound: [{ send: 'GET https://api.example/', answer: { status: 200, body }, ms: 1 }],
      response: { status: 200, body },
    }),
    version: 2 as const,
  };
  writeRecording(file, recording, { within: folder, replace: false });
  expect(statSync(file).size).toBeLessThan(1.5 * JSON.stringify(body).length);
  expect(readRecording(file)).toEqual(recording);
});

test.each([
  ['{\n  "version": 2,\n  "calls": [}\n]\n', 3],
  ['{\n  "version": 2\n  "calls": []\n}', 3],
  ['{\n  "version": 2,\n', 3],
  ['{\n  "a": "b\n"}', 2],
  ['{}\n\n{}', 3],
])('reports the line of a syntax error in %j', (text, line) => {
  const file = join(temporaryFolder(), 'a.json');
  onTestFinished(() => rmSync(file));
  writeFileSync(file, text);
  expect(() => readRecording(file)).toThrow(`line ${line} is not JSON`);
});
