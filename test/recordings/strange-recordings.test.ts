import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { fileOfRecording, writeRecording } from '../../src/recordings/file/write-recording.js';
import { findRecordings, replayFile } from '../../src/recordings/index.js';
import type { RunReplay } from '../../src/sandbox/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { integration, sampleRecording } from './sample-recording.js';

/** No code from a file may run before the whole file is checked. */
const neverRun: RunReplay = () => Promise.reject(new Error('It was run.'));

const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
const sample = (): Record<string, unknown> =>
  JSON.parse(JSON.stringify(sampleRecording({}))) as Record<string, unknown>;
const withCall = (change: object): object => {
  const recording = sample() as { calls: object[] };
  return { ...recording, calls: [{ ...recording.calls[0], ...change }] };
};
const answered = (answer: object, send = 'GET https://api.example/'): object =>
  withCall({ outbound: [{ send, answer, ms: 1 }] });

test.each([
  ['a newer version', { ...sample(), version: 3 }, 'version is 3'],
  ['an unknown key', { ...sample(), run: 'rm' }, 'unknown key run'],
  ['an unknown key in a call', withCall({ script: 'x' }), 'unknown key script'],
  ['a missing key', { ...sample(), at: undefined }, 'at is missing'],
  ['an invalid time', { ...sample(), at: 'soon' }, 'must be a time'],
  ['a secret that is not a string', { ...sample(), secrets: { A: {} } }, 'must be text'],
  ['values nested too deeply', withCall({ event: { type: 'x', deep: deep(120) } }), '100 levels'],
  ['too many calls', { ...sample(), calls: Array.from({ length: 10_001 }, () => ({})) }, '10,000'],
  ['a call that starts more than 30 days later', withCall({ after: 31 * 86_400_000 }), 'calls[0].after'],
  ['a status that fetch cannot return', answered({ status: 101 }), 'status'],
  ['a header with a line break', answered({ status: 200, headers: { a: 'b\r\nc: d' } }), 'not a header'],
  ['a body that is not base64', withCall({ body: { $base64: 'a*==' } }), 'body.$base64 is not base64'],
  ['a response that is not base64', answered({ status: 200, body: { $base64: 'YQ' } }), 'is not base64'],
  ['a URL without a scheme', answered({ status: 200 }, 'GET /etc/passwd'), 'method and a URL'],
])('rejects a recording with %s', async (_, recording, problem) => {
  const file = join(temporaryFolder(), 'strange.json');
  writeFileSync(file, JSON.stringify(recording));
  const project = {
    folder: '/',
    integration,
    declared: ['API_KEY'],
    script: { code: '', map: '' },
    run: neverRun,
  };
  await expect(replayFile(file, project)).rejects.toThrow(problem);
});

test.each(['hunter2 and more', '{ "a": hunter2 }', `[${'1, '.repeat(30)}hunter2]`])(
  'does not quote a file that a recording links to: %s',
  (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'private'), text);
    symlinkSync(join(folder, 'private'), join(folder, 'a.json'));
    expect(() => readRecording(join(folder, 'a.json'))).toThrow(
      /line 1 is not JSON \(Unexpected token 'h'\)/,
    );
  },
);

test.each(['../outside', '.hidden', 'a/b', '-x', 'a'.repeat(101), 'a b', 'nul', 'Aux.v2'])(
  'rejects the name %j',
  (name) => {
    expect(() => fileOfRecording(temporaryFolder(), name)).toThrow('not a valid name');
  },
);

test('never writes a recording through a symlink, outside the project or over another recording', () => {
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  const place = { within: folder, replace: false };
  symlinkSync(outside, join(folder, 'linked'));
  expect(() => writeRecording(join(folder, 'linked/a.json'), sampleRecording(), place)).toThrow(
    'outside the project',
  );
  mkdirSync(join(folder, 'recordings'));
  writeFileSync(join(outside, 'mine.json'), 'mine');
  symlinkSync(join(outside, 'mine.json'), join(folder, 'recordings/a.json'));
  const linked = join(folder, 'recordings/a.json');
  expect(() => writeRecording(linked, sampleRecording(), { ...place, replace: true })).toThrow(
    'regular file',
  );
  const file = join(folder, 'recordings/b.json');
  writeRecording(file, sampleRecording(), place);
  expect(() => writeRecording(file, sampleRecording(), place)).toThrow('already exists');
  expect(readFileSync(join(outside, 'mine.json'), 'utf8')).toBe('mine');
  expect(readdirSync(join(folder, 'recordings')).sort()).toEqual(['a.json', 'b.json']);
});

test('reports that a folder contains no recordings, and suggests the next step', () => {
  expect(() => findRecordings('.', temporaryFolder())).toThrow('contains no recordings');
});

test('rejects long files of line breaks in linear time', async () => {
  const file = join(temporaryFolder(), 'long.json');
  const script = { code: '', map: '' };
  const project = { folder: '/', integration, declared: ['API_KEY'], script, run: neverRun };
  const cost = async (lines: number): Promise<number> => {
    writeFileSync(file, `{${'\n'.repeat(lines)}`);
    const start = process.cpuUsage();
    await expect(replayFile(file, project)).rejects.toThrow('is not JSON');
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  await cost(1000);
  const least = async (lines: number): Promise<number> =>
    Math.min(await cost(lines), await cost(lines), await cost(lines));
  expect((await least(120_000)) / Math.max(await least(30_000), 2000)).toBeLessThan(10);
});
