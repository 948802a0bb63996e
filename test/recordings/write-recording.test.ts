import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { writeRecording } from '../../src/recordings/file/write-recording.js';
import { sampleRecording } from './sample-recording.js';

const withBodies = (count: number) =>
  sampleRecording(...Array.from({ length: count }, () => ({ body: 'x'.repeat(1024 * 1024) })));

test('writes only recordings that can be read again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'recordings/large.json');
  const write = (count: number): void =>
    writeRecording(file, withBodies(count), { within: folder, replace: false });
  expect(() => write(32)).toThrow('larger than 32 MB');
  expect(existsSync(file)).toBe(false);
  write(31);
  expect(readRecording(file).calls).toHaveLength(31);
});
