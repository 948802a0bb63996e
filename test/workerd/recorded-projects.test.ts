import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { Recording } from '../../src/recordings/index.js';
import { devHere } from '../support/dev-here.js';
import { proved } from '../support/proved.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { installedWorkerd } from './installed-workerd.js';
import { answerOf, recordedProjects, type RecordedProject } from './recorded-projects.js';
import type { OfflineReplay } from './replay-offline.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** More rounds, and another version of Node, take longer. */
const rounds = Number(process.env['REPLAY_ROUNDS'] ?? 2);
const newer = process.env['NEWER_NODE'];

/** Runs a program in a network namespace that contains only a loopback interface of its own. */
const withoutNetwork = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
const whyNoNamespace = ((): string | undefined => {
  try {
    const [program = '', ...argv] = withoutNetwork;
    execFileSync(program, [...argv, 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'the network of a process can be cut only with `unshare` and `ip`, on Linux';
  }
})();

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
    manifestText({
      name: 'sample',
      scopes: "['space:content:read', 'site:visitor:auth', 'site:metadata:read']",
      more: `script: index.tsx
secrets:
  KEY: \${{ env.KEY }}
${project.manifest ?? ''}`,
    }),
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
    // Parallel responses within a millisecond may change their order, and a digest of a secret depends on the secret.
    const mayDiffer = ['parallel requests', 'forms, digests and compression'].includes(project.name);
    const report = await cli('record', 'all', '--last', String(calls), ...(mayDiffer ? ['--force'] : []));
    if (!mayDiffer) expect(report['changed'], project.name).toEqual([]);
    return report as Record<string, unknown[]>;
  } finally {
    await dev.stop();
    await double.close();
  }
}

/** Replays in another process, without the doubles, without secrets and, if possible, without a network. */
async function replay(
  folder: string,
  runtime: 'node' | 'workerd',
  { node = process.execPath, url }: { node?: string; url: string },
): Promise<OfflineReplay> {
  const own = [node, '--import', 'tsx', join(import.meta.dirname, 'replay-offline.ts')];
  const [program = '', ...argv] = [...(whyNoNamespace === undefined ? withoutNetwork : []), ...own];
  const { stdout } = await promisify(execFile)(program, [...argv, folder, runtime, String(rounds), url], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as OfflineReplay;
}

test(
  'replays recorded projects with the same results in Node and workerd, without network access',
  { timeout: 900_000 },
  async (context) => {
    expect(recordedProjects).toHaveLength(12);
    // It shows whether a replay could reach anything at all.
    const reachable = await serve(() => new Response('reached'));
    onTestFinished(() => reachable.close());
    const { url } = reachable;
    const rows = [];
    const different: string[] = [];
    const networks = new Set<boolean>();
    const runtimes = new Set<string>();
    for (const project of proved(recordedProjects, 3)) {
      const folder = temporaryFolder();
      const report = await record(folder, project);
      const text = readFileSync(join(folder, 'recordings/all.json'), 'utf8');
      const { calls } = JSON.parse(text) as Recording;
      expect(text).not.toContain('live-');
      const inWorkerd = await replay(folder, 'workerd', { url });
      const inNode = [await replay(folder, 'node', { url })];
      if (newer !== undefined) inNode.push(await replay(folder, 'node', { url, node: newer }));
      const replays = [...inNode, inWorkerd];
      for (const { network } of replays) networks.add(network);
      for (const { node } of inNode) runtimes.add(node);
      const found = replays.flatMap((one) => one.different);
      different.push(...found.map((line) => `${project.name}: ${line}`));
      const count = (list: unknown[] | undefined): number => list?.length ?? 0;
      rows.push({
        project: project.name,
        calls: calls.length,
        requests: calls.flatMap(({ outbound }) => outbound).length,
        replays: replays.reduce((sum, { replayed }) => sum + replayed, 0),
        different: found.length,
        ...inNode[0]?.ignored,
        leftOut: count(report['leftOut']),
        unsigned: count(report['unsigned']),
        changed: JSON.stringify(report['changed']),
        unstable: count(report['unstable']),
      });
    }
    console.log(`Replayed in Node ${[...runtimes].join(' and ')} and in workerd.`);
    console.table(rows);
    expect(different).toEqual([]);
    expect(rows.filter(({ calls, replays }) => replays !== calls * rounds * (runtimes.size + 1))).toEqual([]);
    expect(rows.flatMap(({ unstable }) => unstable).filter((unstable) => unstable > 0)).toEqual([]);
    if (whyNoNamespace !== undefined) return context.skip(`They were the same, but ${whyNoNamespace}.`);
    expect([...networks]).toEqual([false]);
  },
);
