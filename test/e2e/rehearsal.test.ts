import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { manifestText, recordFirstVersion, scriptText } from '../publish/seeded-project.js';
import { replayProgram } from '../support/child-program.js';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' });
const recording = await recordFirstVersion(run);

interface Checked {
  checks: { id: string; verdict: string; evidence: string }[];
  diagnostics: { code: string; severity: string; message: string; range?: { start: { line: number } } }[];
}

async function rehearse(
  script: string,
  manifest = manifestText,
  recordings = ['--recordings', 'recordings'],
  former = manifestText,
): Promise<Checked> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'recordings'), { recursive: true });
  mkdirSync(join(folder, 'v1'));
  writeFileSync(join(folder, 'recordings/calls.json'), JSON.stringify(recording));
  writeFileSync(join(folder, 'v1/platform-manifest.yaml'), former);
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  writeFileSync(join(folder, 'index.ts'), `// @ts-nocheck\n${script}`);
  const options = ['--against', 'v1', '--json', ...recordings];
  const { stdout } = await runPlatform(['publish-check', ...options], { cwd: folder });
  return JSON.parse(stdout) as Checked;
}

const verdictIn = ({ checks }: Checked): unknown => checks.find(({ id }) => id === 'publish/rehearsal');
const problemsIn = ({ diagnostics }: Checked) =>
  diagnostics.filter(({ code }) => code === 'publish/rehearsal');

test('passes the check for an unchanged version, and lists what was compared', async () => {
  expect(verdictIn(await rehearse(scriptText))).toMatchObject({
    verdict: 'pass',
    evidence:
      '1 recording: 1 same. Given the same external responses and stored values, these calls produce the same responses and requests with the new version.',
  });
});

test('reports a call that fails only with the new version as broken, and shows the line', async () => {
  const broken = scriptText.replace('event.author.name', 'event.user.name');
  const checked = await rehearse(broken);
  expect(verdictIn(checked)).toMatchObject({ verdict: 'fail', evidence: '1 recording: 1 broken.' });
  const line =
    `// @ts-nocheck\n${broken}`.split('\n').findIndex((text) => text.includes('event.user.name')) + 1;
  expect(problemsIn(checked)).toMatchObject([{ severity: 'error', range: { start: { line } } }]);
});

test('reports a changed response, and a value that is no longer allowed', async () => {
  const differs = await rehearse(scriptText.replace("'noted'", "'seen'"));
  expect(problemsIn(differs)).toMatchObject([{ severity: 'warning' }]);
  expect(problemsIn(differs)[0]?.message).toContain('`noted` is now `seen`');
  const pending = await rehearse(scriptText, manifestText.replace('[km, mile]', '[km]'));
  expect(problemsIn(pending)).toHaveLength(1);
  expect(problemsIn(pending)[0]?.message).toMatch(/^pending, unit of configurations\.account.*calls\)$/);
});

test('without --recordings, prints the option that runs the recordings in the project', async () => {
  expect(verdictIn(await rehearse(scriptText, manifestText, []))).toMatchObject({
    verdict: 'skipped',
    evidence: 'To run the recorded calls with this version, add: --recordings recordings',
  });
});

test('--recordings requires a version to compare with', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifestText);
  const { code, stderr } = await runPlatform(['publish-check', '--recordings', 'recordings'], {
    cwd: folder,
  });
  expect([code, stderr.includes('--against')]).toEqual([2, true]);
});
