import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openReplayedProject, replayFile, type Recording } from '../../src/recordings/index.js';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { installedWorkerd } from './installed-workerd.js';
import { answerOf, recordedProjects, type RecordedProject } from './recorded-projects.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** More rounds, and another version of Node, take longer. */
const rounds = Number(process.env['REPLAY_ROUNDS'] ?? 2);
const newer = process.env['NEWER_NODE'];

const key = 'live-canary-key-of-the-author';

const write = (folder: string, project: RecordedProject, url: string): void => {
  mkdirSync(join(folder, 'node_modules/@mux'), { recursive: true });
  const link = (from: string, to: string): void => symlinkSync(from, join(folder, 'node_modules', to), 'dir');
  link(root, 'integration-platform');
  link(join(root, 'node_modules/stripe'), 'stripe');
  link(join(root, 'node_modules/@mux/mux-node'), '@mux/mux-node');
  link(join(installedWorkerd().folder, 'node_modules/workerd'), 'workerd');
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    `name: sample
title: Sample
description: A sample integration.
organization: acme
visibility: private
scopes: ['space:content:read', 'site:visitor:auth', 'site:metadata:read']
script: index.tsx
secrets:
  KEY: \${{ env.KEY }}
${project.manifest ?? ''}`,
  );
  writeFileSync(join(folder, 'index.tsx'), project.source);
  const hosts = project.hosts.map((host) => `  ${host}: ${url}\n`);
  writeFileSync(join(folder, 'platform.dev.yaml'), `outbound:\n${hosts.join('')}  "*": refuse\n`);
};

/** Records the project's calls against a double of the services that it uses. */
async function record(folder: string, project: RecordedProject): Promise<Record<string, unknown[]>> {
  const double = await serve(answerOf);
  write(folder, project, double.url);
  const dev = devHere(folder, ['--port', '0'], { env: { KEY: key } });
  try {
    await dev.prints(/in site_local/);
    const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
    const cli = async (...argv: string[]): Promise<Record<string, unknown>> => {
      const { stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    const calls = await project.use({ endpoint, cli });
    return (await cli('record', 'all', '--last', String(calls))) as Record<string, unknown[]>;
  } finally {
    await dev.stop();
    await double.close();
  }
}

/** Without the doubles and without secrets. */
async function replay(
  folder: string,
  runtime: 'node' | 'workerd',
  node = process.execPath,
): Promise<string[]> {
  const project = await openReplayedProject({
    file: join(folder, 'platform-manifest.yaml'),
    runtime,
    node,
    package: { folder: root, version: '0' },
  });
  const different: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { results } = await replayFile(join(folder, 'recordings/all.json'), project);
    for (const { call, differences } of results)
      for (const { kind, before, after } of differences)
        different.push(
          `${call.name} (${runtime}, ${kind}): ${before.slice(0, 500)} => ${after.slice(0, 500)}`,
        );
  }
  return different;
}

test(
  'replays twelve recorded projects with the same results in Node and workerd',
  { timeout: 900_000 },
  async () => {
    expect(recordedProjects).toHaveLength(12);
    const rows = [];
    const different: string[] = [];
    for (const project of recordedProjects) {
      const folder = mkdtempSync(join(tmpdir(), 'platform-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const report = await record(folder, project);
      const text = readFileSync(join(folder, 'recordings/all.json'), 'utf8');
      const { calls } = JSON.parse(text) as Recording;
      expect(text).not.toContain('live-');
      const found = [
        ...(await replay(folder, 'node')),
        ...(newer === undefined ? [] : await replay(folder, 'node', newer)),
        ...(await replay(folder, 'workerd')),
      ];
      different.push(...found.map((line) => `${project.name}: ${line}`));
      const count = (list: unknown[] | undefined): number => list?.length ?? 0;
      rows.push({
        project: project.name,
        calls: calls.length,
        requests: calls.flatMap(({ outbound }) => outbound).length,
        replays: rounds * (newer === undefined ? 2 : 3) * calls.length,
        different: found.length,
        leftOut: count(report['leftOut']),
        unsigned: count(report['unsigned']),
        changed: JSON.stringify(report['changed']),
        unstable: count(report['unstable']),
      });
    }
    console.table(rows);
    expect(different).toEqual([]);
    expect(rows.flatMap(({ unstable }) => unstable).filter((unstable) => unstable > 0)).toEqual([]);
  },
);
