import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  openReplayedProject,
  positionOfDifference,
  replayCalls,
  type Recording,
  type ReplayResult,
} from '../../src/recordings/index.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { proved } from '../support/proved.js';
import { recordingInputs } from './seeded-code-calls.js';
import { breaking, harmless, type CodeChange } from './seeded-code-changes.js';
import { manifestText, sources } from './seeded-code-project.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = sharedFolder();
mkdirSync(join(folder, 'src'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
writeFileSync(join(folder, 'platform-manifest.yaml'), manifestText);

const edited = ({ edits }: Pick<CodeChange, 'edits'>): Record<string, string> => {
  const files = { ...sources };
  for (const [file, from, to] of edits) {
    const before = files[file] ?? '';
    if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
    files[file] = before.replace(from, () => to);
  }
  return files;
};

async function replay(recording: Recording, change: Pick<CodeChange, 'edits'>) {
  for (const [file, text] of Object.entries(edited(change))) writeFileSync(join(folder, file), text);
  const project = await openReplayedProject({
    file: join(folder, 'platform-manifest.yaml'),
    runtime: 'node',
    node: process.execPath,
    package: { folder: root, version: '0' },
  });
  const results = await replayCalls({ ...project, recording });
  const places = results.flatMap((result) =>
    result.differences.map((difference) => positionOfDifference(result, difference, project)),
  );
  return { results, places };
}

const recorded = async (): Promise<Recording> => {
  const { results } = await replay(recordingInputs, { edits: [] });
  return {
    ...recordingInputs,
    calls: results.map(({ call, outcome }) => ({ ...call, ...toRecorded(outcome, call.outbound) })),
  };
};
const recording = await recorded();

test('the recorded calls have the expected statuses', () => {
  const statuses = recording.calls.map(({ response }) => response?.status);
  expect(statuses).toEqual([200, 200, 201, 400, 200, 202, 401, 302, 404, 200, 200, 200, 200, 200]);
  expect(recording.calls.flatMap(({ outbound }) => outbound).every(({ answer }) => 'status' in answer)).toBe(
    true,
  );
});

test('detects seeded changes to the code', async () => {
  expect(breaking).toHaveLength(30);
  const rows = [];
  for (const change of proved(breaking, 5)) {
    const { results, places } = await replay(recording, change);
    const differs = (result: ReplayResult): boolean => result.differences.length > 0;
    const [file = '', , to = ''] = change.edits[0] ?? [];
    const text = edited(change)[file] ?? '';
    const line = to === '' ? 0 : text.slice(0, text.indexOf(to)).split('\n').length;
    const known = places.filter((place) => place !== undefined);
    const wrong = known.find((place) => place.path !== file || place.line !== line);
    rows.push({
      what: change.what,
      calls: results.filter(differs).length,
      place: wrong ? `${wrong.basis} ${wrong.path}:${wrong.line}` : known[0] ? known[0].basis : 'none',
      line: `${file}:${line}`,
    });
  }
  console.table(rows);
  expect(rows.filter(({ calls }) => calls === 0)).toEqual([]);
  // The other results are calculated, so they contain nothing of the line that calculates them, or come from another branch.
  const none = [
    'a removed route',
    'a missing await',
    'another filter',
    'another order',
    'another header',
    'a removed request',
    'a removed element',
    'another increment',
    'another date',
    'another rounding',
    'another plural',
    'another language',
    'no retry',
    'another threshold',
  ];
  expect(rows.filter(({ place }) => place === 'none').map(({ what }) => what)).toEqual(proved(none));
  expect(rows.filter(({ place }) => place.includes(':'))).toEqual([]);
});

test('reports nothing for harmless changes to the code', async () => {
  expect(harmless).toHaveLength(30);
  const loud = [];
  for (const change of proved(harmless)) {
    const { results } = await replay(recording, change);
    for (const { call, differences } of results)
      for (const difference of differences) loud.push({ what: change.what, call: call.name, ...difference });
  }
  expect(loud).toEqual([]);
});
