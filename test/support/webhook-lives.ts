import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SenderTask } from './webhook-sender.js';

const path = (from: string): string => fileURLToPath(new URL(from, import.meta.url));

let built: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'platform-sender-')), 'sender.cjs');
  await build({
    entryPoints: [path('webhook-sender.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    external: ['libsql', 'vitest'],
    logLevel: 'error',
  });
  return outfile;
}

export interface Life {
  child: ChildProcess;
  acked: number[];
  /** Resolves to whether it ended by itself. */
  ended: Promise<boolean>;
}

/** Starts a process that sends webhooks. */
export async function startLife(task: SenderTask): Promise<Life> {
  const script = await (built ??= bundle());
  const child = spawn(process.execPath, [script, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: path('../../node_modules') },
  });
  const acked: number[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) acked.push(Number(/^ack (\d+)$/.exec(line)?.[1]));
  });
  const ended = once(child, 'close').then(([code]) => code === 0);
  return { child, acked, ended };
}

export interface Hook {
  url: string;
  /** The bodies received, by event. */
  received: Map<string, string[]>;
  count(): number;
  onRequest: (eventId: string, response: ServerResponse) => void;
  close(): void;
}

export const answerOk = (response: ServerResponse): void => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"received":true}');
};

export async function startHook(): Promise<Hook> {
  let count = 0;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('latin1');
      const { eventId } = JSON.parse(body) as { eventId: string };
      count += 1;
      hook.received.set(eventId, [...(hook.received.get(eventId) ?? []), body]);
      hook.onRequest(eventId, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: new Map(),
    count: () => count,
    onRequest: (_, response) => answerOk(response),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return hook;
}
