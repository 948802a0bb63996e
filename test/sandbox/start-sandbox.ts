import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import {
  nodeRuntime,
  ProcessPool,
  type ScriptBackground,
  type ScriptOutbound,
  type ScriptRuntime,
  ScriptRunner,
  type ScriptRunnerOptions,
  type ScriptLog,
  type ScriptObserver,
} from '../../src/sandbox/index.js';
import { childProgram } from '../support/child-program.js';
import { environment, event } from './sample-call.js';

export interface Started {
  sandbox: ScriptRunner;
  logs: ScriptLog[];
  outbound: ScriptOutbound[];
  background: ScriptBackground[];
  memory: Parameters<NonNullable<ScriptObserver['memory']>>[0][];
  folder: string;
  /** Resolves when a log line holds the text, with that line. */
  logged(text: string): Promise<ScriptLog>;
  send(body: string, id?: string): Promise<{ status: number; text: string }>;
}

const started: { sandbox: ScriptRunner; folder: string }[] = [];
afterEach(async () => {
  await Promise.all(
    started.splice(0).map(async ({ sandbox, folder }) => {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    }),
  );
});

interface Options {
  runtime?: ScriptRuntime;
  inspect?: number;
  standby?: boolean;
}

/** A sandbox with a real child process, closed after the test. */
export async function startSandbox({
  runtime,
  inspect,
  standby = true,
  ...options
}: Partial<ScriptRunnerOptions> & Options = {}): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'a sandbox-'));
  const logs: ScriptLog[] = [];
  const outbound: ScriptOutbound[] = [];
  const background: ScriptBackground[] = [];
  const memory: Started['memory'] = [];
  const waiting = new Set<() => void>();
  const sandbox = new ScriptRunner({
    processes: new ProcessPool({
      folder,
      runtime:
        runtime ?? nodeRuntime({ childFile: await childProgram(), node: process.execPath, version: '1.2.3' }),
      standby,
      ...(inspect !== undefined && { inspect }),
    }),
    observer: {
      mask: (text) => text.replaceAll('canary-secret', '•••'),
      log: (entry) => {
        logs.push(entry);
        for (const look of waiting) look();
      },
      outbound: (entry) => outbound.push(entry),
      background: (entry) => background.push(entry),
      memory: (used) => memory.push(used),
    },
    ...options,
  });
  started.push({ sandbox, folder });
  return {
    sandbox,
    logs,
    outbound,
    background,
    memory,
    folder,
    logged: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = logs.find((entry) => entry.text.includes(text));
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async send(body, id = 'call') {
      const response = await sandbox.call({ id, event, environment, body: new TextEncoder().encode(body) });
      return { status: response.status, text: await response.text() };
    },
  };
}
