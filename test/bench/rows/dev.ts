import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createBundler, type Bundler } from '../../../src/bundle/index.js';
import { encodeEnvelope } from '../../../src/protocol/envelope/encode-envelope.js';
import type { FetchEvent } from '../../../src/protocol/events.js';
import { environment, event } from '../../sandbox/sample-call.js';
import { startDev, type DevSession } from '../../support/dev-session.js';
import { median } from '../paired.js';
import { startMiniflare, type Peer } from '../peers.js';
import { post, rate, startProxiedEcho } from '../proxied-echo.js';
import type { Figure, Row } from '../row.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const runs = 15;
const small = new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(200) }));

interface Project {
  folder: string;
  source: string;
}

async function withProject<T>(work: (project: Project) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  cpSync(join(root, 'test/bench/integration'), folder, { recursive: true });
  try {
    return await work({ folder, source: join(folder, 'src/index.ts') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A script runtime: its `platform dev` options and how to find its process. */
export interface RuntimeUnderTest {
  options: string[];
  process: string;
  /** Installs the runtime for a project. */
  install?(folder: string): void;
}

export const nodeUnderTest: RuntimeUnderTest = { options: [], process: 'sandbox/child' };

const withDev = (
  { options, install }: RuntimeUnderTest,
  work: (session: DevSession, project: Project) => Promise<Figure>,
): Promise<Figure> =>
  withProject(async (project) => {
    install?.(project.folder);
    const session = await startDev(project.folder, options);
    try {
      await sleep(1000);
      return await work(session, project);
    } finally {
      await session.stop();
    }
  });

export const ready = ({ options, install }: RuntimeUnderTest): Promise<Figure> =>
  withProject(async ({ folder }) => {
    install?.(folder);
    const pairs: { own: number; bare: number }[] = [];
    for (let run = 0; run <= runs; run++) {
      const began = performance.now();
      const session = await startDev(folder, options);
      const own = performance.now() - began;
      await session.stop();
      const start = performance.now();
      await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
      if (run > 0) pairs.push({ own, bare: performance.now() - start });
    }
    const value = median(pairs.map(({ own, bare }) => own / bare));
    return { value, unit: 'x', detail: `${median(pairs.map(({ own }) => own)).toFixed(0)} ms` };
  });

const save = ({ source }: Project, revision: string): void =>
  writeFileSync(source, readFileSync(source, 'utf8').replace(/'\w+';/, `'${revision}';`));

const answerOf = (revision: string): string => JSON.stringify({ revision });

/** Measures from the save to the new code's first response, with continuous requests. */
async function saveToAnswer(session: DevSession, project: Project, revision: string): Promise<number> {
  const ask = async (): Promise<string> => (await fetch(session.urls.publicEndpoint)).text();
  const began = performance.now();
  save(project, revision);
  while ((await ask()) !== answerOf(revision)) await sleep(1);
  return performance.now() - began;
}

async function repeated<T>(measure: (n: number) => Promise<T>): Promise<T[]> {
  const times: T[] = [];
  for (let n = 1; n <= runs; n++) {
    await sleep(400);
    times.push(await measure(n));
  }
  return times;
}

export const reload = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, async (session, project) => {
    const times = await repeated((n) => saveToAnswer(session, project, `r${n}`));
    return { value: median(times), unit: 'ms', detail: `slowest ${Math.max(...times).toFixed(0)} ms` };
  });

async function withBundler<T>(
  { folder, source }: Project,
  work: (bundler: Bundler) => Promise<T>,
): Promise<T> {
  const bundler = createBundler({ entry: source, folder, sdk: { folder: root } });
  try {
    return await work(bundler);
  } finally {
    await bundler.close();
  }
}

async function peerOptions(bundler: Bundler): Promise<object> {
  const built = await bundler.build();
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  return {
    modules: true,
    script: built.value.code,
    compatibilityDate: '2025-01-01',
    compatibilityFlags: ['nodejs_compat'],
  };
}

/** A Miniflare that runs the same integration, with a warm build. */
const withPeer = (
  work: (peer: Peer, project: Project, bundler: Bundler) => Promise<Figure>,
): Promise<Figure> =>
  withProject((project) =>
    withBundler(project, async (bundler) => {
      const peer = await startMiniflare(await peerOptions(bundler));
      try {
        return await work(peer, project, bundler);
      } finally {
        await peer.dispose();
      }
    }),
  );

const echoed: FetchEvent = { ...event, request: { ...event.request, url: 'http://localhost/echo' } };

const envelopeOf = (body?: Uint8Array) => {
  const call = body ? { event: echoed, body } : { event };
  const { contentType, body: bytes } = encodeEnvelope({ ...call, environment });
  return { contentType, bytes: bytes as Uint8Array };
};

async function askPeer(peer: Peer): Promise<string> {
  const { contentType, bytes } = envelopeOf();
  const init = { method: 'POST', headers: { 'Content-Type': contentType }, body: Buffer.from(bytes) };
  return (await peer.dispatchFetch('http://localhost/v1', init)).text();
}

const reloadAgainstPeer = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, (session, project) =>
    withPeer(async (peer, theirProject, bundler) => {
      const theirReload = async (revision: string): Promise<number> => {
        const began = performance.now();
        save(theirProject, revision);
        await peer.setOptions(await peerOptions(bundler));
        if ((await askPeer(peer)) !== answerOf(revision)) throw new Error('The old code answered.');
        return performance.now() - began;
      };
      const pairs = await repeated(async (n) => ({
        own: await saveToAnswer(session, project, `r${n}`),
        theirs: await theirReload(`r${n}`),
      }));
      const own = median(pairs.map((pair) => pair.own));
      const theirs = median(pairs.map((pair) => pair.theirs));
      return {
        value: median(pairs.map((pair) => pair.theirs / pair.own)),
        unit: 'x',
        detail: `${own.toFixed(0)} ms against ${theirs.toFixed(0)} ms`,
      };
    }),
  );

const twoSaves = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, async (session, project) => {
    const times = await repeated(async (n) => {
      save(project, `a${n}`);
      await sleep(50);
      return saveToAnswer(session, project, `b${n}`);
    });
    return { value: Math.max(...times), unit: 'ms', detail: `median ${median(times).toFixed(0)} ms` };
  });

/** Compares requests per second with another server, alternating five times. */
async function against(
  session: DevSession,
  other: (count: number) => Promise<number>,
): Promise<{ own: number; theirs: number }[]> {
  const own = (count: number): Promise<number> =>
    rate(count, 32, () => post(`${session.urls.publicEndpoint}/echo`, small));
  await own(2000);
  await other(1000);
  const pairs: { own: number; theirs: number }[] = [];
  for (let n = 0; n < 5; n++) pairs.push({ own: await own(3000), theirs: await other(2000) });
  return pairs;
}

const rates = (pairs: { own: number; theirs: number }[]): string =>
  `${median(pairs.map(({ own }) => own)).toFixed(0)}/s against ${median(pairs.map(({ theirs }) => theirs)).toFixed(0)}/s`;

/**
 * Uses the interface that a platform built on Miniflare would call. The speed of its socket alone, with
 * nothing in between or recorded, is reported separately.
 */
export const requestsAgainstPeer = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, (session) =>
    withPeer(async (peer) => {
      const { contentType, bytes } = envelopeOf(small);
      const init = { method: 'POST', headers: { 'Content-Type': contentType }, body: Buffer.from(bytes) };
      const pairs = await against(session, (count) =>
        rate(count, 32, async () => (await peer.dispatchFetch('http://localhost/v1', init)).text()),
      );
      const url = `${String(await peer.ready)}v1`;
      const bare = await rate(2000, 32, () => post(url, bytes, contentType));
      return {
        value: median(pairs.map(({ own, theirs }) => own / theirs)),
        unit: 'x',
        detail: `${rates(pairs)}, its bare socket ${bare.toFixed(0)}/s`,
      };
    }),
  );

export const requestsAgainstEcho = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, async (session) => {
    const echo = await startProxiedEcho();
    try {
      const pairs = await against(session, (count) => rate(count, 32, () => post(echo.url, small)));
      return {
        value: median(pairs.map(({ own, theirs }) => (own / theirs) * 100)),
        unit: '%',
        detail: rates(pairs),
      };
    } finally {
      echo.close();
    }
  });

const mebibyte = 1024 * 1024;
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const largeBody = (runtime: RuntimeUnderTest): Promise<Figure> =>
  withDev(runtime, async (session) => {
    const pid = session.process.pid ?? 0;
    const children = execFileSync('pgrep', ['-P', String(pid), '-f', runtime.process], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
    await fetch(session.urls.publicEndpoint, { method: 'POST', body: 'warm' });
    const before = [pid, ...children].map(peakOf);
    const body = Buffer.alloc(64 * mebibyte, 'integration');
    const answer = (await (await fetch(session.urls.publicEndpoint, { method: 'POST', body })).json()) as {
      bytes: number;
    };
    if (answer.bytes !== body.length) throw new Error(`${answer.bytes} bytes arrived.`);
    const [platform = 0, ...scripts] = [pid, ...children].map(
      (one, index) => peakOf(one) - (before[index] ?? 0),
    );
    return {
      value: platform / 64,
      unit: 'x',
      detail: `the script's process ${(Math.max(...scripts) / 64).toFixed(2)} x (at most 4 x)`,
    };
  });

export const devRows: Row[] = [
  {
    what: 'platform dev from start to ready, against node -e 0',
    reach: { atMost: 4 },
    measure: () => ready(nodeUnderTest),
  },
  { what: 'save to answer of the new code', reach: { atMost: 60 }, measure: () => reload(nodeUnderTest) },
  {
    what: "Miniflare's rebuild and setOptions, against save to answer",
    reach: { atLeast: 4 },
    measure: () => reloadAgainstPeer(nodeUnderTest),
  },
  {
    what: 'two saves 50 ms apart: the latest code answers, slowest',
    reach: { atMost: 400 },
    measure: () => twoSaves(nodeUnderTest),
  },
  {
    what: 'requests, everything recorded, against Miniflare',
    reach: { atLeast: 3 },
    measure: () => requestsAgainstPeer(nodeUnderTest),
  },
  {
    what: 'requests, everything recorded, against an echo behind a proxy',
    reach: { atLeast: 30 },
    measure: () => requestsAgainstEcho(nodeUnderTest),
  },
  {
    what: 'a body of 64 MiB: growth of the platform',
    reach: { atMost: 2 },
    measure: () => largeBody(nodeUnderTest),
  },
];
