import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleOnce } from '../../../src/bundle/index.js';
import { encodeEnvelope } from '../../../src/protocol/envelope.js';
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

const withDev = (work: (session: DevSession, project: Project) => Promise<Figure>): Promise<Figure> =>
  withProject(async (project) => {
    const session = await startDev(project.folder);
    try {
      await sleep(1000);
      return await work(session, project);
    } finally {
      await session.stop();
    }
  });

const ready = (): Promise<Figure> =>
  withProject(async ({ folder }) => {
    const pairs: { own: number; bare: number }[] = [];
    for (let run = 0; run <= runs; run++) {
      const began = performance.now();
      const session = await startDev(folder);
      const own = performance.now() - began;
      await session.stop();
      const start = performance.now();
      await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
      if (run > 0) pairs.push({ own, bare: performance.now() - start });
    }
    const value = median(pairs.map(({ own, bare }) => own / bare));
    return { value, unit: 'x', detail: `${median(pairs.map(({ own }) => own)).toFixed(0)} ms` };
  });

/** From the save to the first answer of the new code, asked for all the time. */
async function saveToAnswer(
  { source }: Project,
  revision: string,
  ask: () => Promise<string>,
): Promise<number> {
  const text = readFileSync(source, 'utf8').replace(/'r\w+'/, `'${revision}'`);
  const began = performance.now();
  writeFileSync(source, text);
  while ((await ask()) !== `{"revision":"${revision}"}`) await sleep(1);
  return performance.now() - began;
}

const asking = (session: DevSession) => async (): Promise<string> =>
  (await fetch(session.urls.publicEndpoint)).text();

const ownReloads = (session: DevSession, project: Project): Promise<number[]> =>
  repeated((n) => saveToAnswer(project, `r${n}`, asking(session)));

async function repeated(measure: (n: number) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 1; n <= runs; n++) {
    await sleep(400);
    times.push(await measure(n));
  }
  return times;
}

const reload = (): Promise<Figure> =>
  withDev(async (session, project) => {
    const times = await ownReloads(session, project);
    return { value: median(times), unit: 'ms', detail: `slowest ${Math.max(...times).toFixed(0)} ms` };
  });

const script = async ({ folder, source }: Project): Promise<string> => {
  const built = await bundleOnce({ entry: source, folder, sdk: { folder: root } });
  if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
  return built.value.code;
};

const peerOptions = (code: string): object => ({
  modules: true,
  script: code,
  compatibilityDate: '2025-01-01',
  compatibilityFlags: ['nodejs_compat'],
});

const envelopeOf = (body?: Uint8Array) => {
  const { contentType, body: bytes } = encodeEnvelope({ event, environment, ...(body && { body }) });
  return { contentType, bytes: bytes as Uint8Array };
};

async function askPeer(peer: Peer, body?: Uint8Array): Promise<string> {
  const { contentType, bytes } = envelopeOf(body);
  const init = { method: 'POST', headers: { 'Content-Type': contentType }, body: Buffer.from(bytes) };
  return (await peer.dispatchFetch('http://localhost/v1', init)).text();
}

const reloadAgainstPeer = (): Promise<Figure> =>
  withDev(async (session, project) => {
    const own = median(await ownReloads(session, project));
    const peer = await startMiniflare(peerOptions(await script(project)));
    try {
      await askPeer(peer);
      const theirs = median(
        await repeated(async (n) => {
          writeFileSync(project.source, readFileSync(project.source, 'utf8').replace(/'r\w+'/, `'p${n}'`));
          const began = performance.now();
          await peer.setOptions(peerOptions(await script(project)));
          if ((await askPeer(peer)) !== `{"revision":"p${n}"}`) throw new Error('The old code answered.');
          return performance.now() - began;
        }),
      );
      return {
        value: theirs / own,
        unit: 'x',
        detail: `${own.toFixed(0)} ms against ${theirs.toFixed(0)} ms`,
      };
    } finally {
      await peer.dispose();
    }
  });

const twoSaves = (): Promise<Figure> =>
  withDev(async (session, project) => {
    const times = await repeated(async (n) => {
      void saveToAnswer(project, `a${n}`, asking(session)).catch(() => {});
      await sleep(50);
      return saveToAnswer(project, `b${n}`, asking(session));
    });
    return { value: Math.max(...times), unit: 'ms', detail: `median ${median(times).toFixed(0)} ms` };
  });

/** Requests a second, in turn with those of another, five times. */
async function against(
  session: DevSession,
  other: (count: number) => Promise<number>,
): Promise<{ own: number; theirs: number }[]> {
  const own = (count: number): Promise<number> =>
    rate(count, 32, () => post(session.urls.publicEndpoint, small));
  await own(2000);
  await other(1000);
  const pairs: { own: number; theirs: number }[] = [];
  for (let n = 0; n < 5; n++) pairs.push({ own: await own(3000), theirs: await other(2000) });
  return pairs;
}

const rates = (pairs: { own: number; theirs: number }[]): string =>
  `${median(pairs.map(({ own }) => own)).toFixed(0)}/s against ${median(pairs.map(({ theirs }) => theirs)).toFixed(0)}/s`;

const requestsAgainstPeer = (): Promise<Figure> =>
  withDev(async (session, project) => {
    const peer = await startMiniflare(peerOptions(await script(project)));
    try {
      const url = String(await peer.ready);
      const { contentType, bytes } = envelopeOf(small);
      const pairs = await against(session, (count) =>
        rate(count, 32, () => post(`${url}v1`, bytes, contentType)),
      );
      return { value: median(pairs.map(({ own, theirs }) => own / theirs)), unit: 'x', detail: rates(pairs) };
    } finally {
      await peer.dispose();
    }
  });

const requestsAgainstEcho = (): Promise<Figure> =>
  withDev(async (session) => {
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

const largeBody = (): Promise<Figure> =>
  withDev(async (session) => {
    const pid = session.process.pid ?? 0;
    const children = execFileSync('pgrep', ['-P', String(pid), '-f', 'sandbox/child'], { encoding: 'utf8' })
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
  { what: 'platform dev from start to ready, against node -e 0', reach: { atMost: 4 }, measure: ready },
  { what: 'save to answer of the new code', reach: { atMost: 60 }, measure: reload },
  {
    what: "Miniflare's rebuild and setOptions, against save to answer",
    reach: { atLeast: 4 },
    measure: reloadAgainstPeer,
  },
  {
    what: 'two saves 50 ms apart: the latest code answers, slowest',
    reach: { atMost: 400 },
    measure: twoSaves,
  },
  {
    what: 'requests, everything recorded, against Miniflare',
    reach: { atLeast: 3 },
    measure: requestsAgainstPeer,
  },
  {
    what: 'requests, everything recorded, against an echo behind a proxy',
    reach: { atLeast: 30 },
    measure: requestsAgainstEcho,
  },
  { what: 'a body of 64 MiB: growth of the platform', reach: { atMost: 2 }, measure: largeBody },
];
