import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createBundler, type Bundler } from '../../../src/bundle/index.js';
import { nodeRuntime, ProcessPool, ScriptRunner } from '../../../src/sandbox/index.js';
import { environment, event } from '../../sandbox/sample-call.js';
import { median } from '../paired.js';
import { post, rate, startProxiedEcho } from '../proxied-echo.js';
import type { Figure, Row } from '../row.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Bench {
  sandbox: ScriptRunner;
  source: string;
  /** Builds and loads the current script. */
  reload(): Promise<void>;
  answer(body?: Uint8Array): Promise<string>;
}

async function withScript(measure: (bench: Bench) => Promise<Figure>): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  cpSync(join(root, 'test/bench/integration'), folder, { recursive: true });
  const source = join(folder, 'src/index.ts');
  const bundler: Bundler = createBundler({ entry: source, folder, sdk: { folder: root } });
  const sandbox = new ScriptRunner({
    processes: new ProcessPool({
      folder: tmpdir(),
      runtime: nodeRuntime({
        childFile: join(root, 'dist/sandbox/child/main.js'),
        node: process.execPath,
        version: '1.2.3',
      }),
    }),
    observer: {
      mask: (text) => text,
      log: ({ text }) => console.error(text),
      outbound: () => {},
      background: () => {},
    },
  });
  let calls = 0;
  try {
    return await measure({
      sandbox,
      source,
      async reload() {
        const built = await bundler.build();
        if (!built.ok) throw new Error(JSON.stringify(built.diagnostics));
        await sandbox.load(built.value);
      },
      async answer(body) {
        calls += 1;
        const response = await sandbox.call({
          id: `call-${calls}`,
          event: body ? { ...event, request: { ...event.request, url: 'http://localhost/echo' } } : event,
          environment,
          ...(body && { body }),
        });
        if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
        return response.text();
      },
    });
  } finally {
    await sandbox.close();
    await bundler.close();
    rmSync(folder, { recursive: true });
  }
}

const throughput = (): Promise<Figure> =>
  withScript(async ({ reload, answer }) => {
    const echo = await startProxiedEcho();
    const body = new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(200) }));
    const through = (count: number): Promise<number> => rate(count, 32, () => answer(body));
    const bare = (count: number): Promise<number> => rate(count, 32, () => post(echo.url, body));
    try {
      await reload();
      await through(2000);
      await bare(2000);
      const pairs: [number, number][] = [];
      for (let n = 0; n < 5; n += 1) pairs.push([await through(2000), await bare(2000)]);
      return {
        value: median(pairs.map(([own, plain]) => (own / plain) * 100)),
        unit: '%',
        detail: `${median(pairs.map(([own]) => own)).toFixed(0)}/s against ${median(pairs.map(([, plain]) => plain)).toFixed(0)}/s`,
      };
    } finally {
      echo.close();
    }
  });

const reloading = (): Promise<Figure> =>
  withScript(async ({ source, reload, answer }) => {
    await reload();
    const text = readFileSync(source, 'utf8');
    const times: number[] = [];
    for (let n = 1; n <= 15; n += 1) {
      await sleep(400);
      writeFileSync(source, text.replace('r0', `r${n}`));
      const began = performance.now();
      await reload();
      if ((await answer()) !== `{"revision":"r${n}"}`) throw new Error('The old code answered.');
      times.push(performance.now() - began);
    }
    return { value: median(times), unit: 'ms', detail: `slowest ${Math.max(...times).toFixed(0)} ms` };
  });

export const sandboxRows: Row[] = [
  {
    what: 'calls through the sandbox, against an echo behind a proxy',
    reach: { atLeast: 30 },
    measure: throughput,
  },
  {
    what: 'changed source to first answer: build, load, swap, call',
    reach: { atMost: 30 },
    measure: reloading,
  },
];
