import { tmpdir } from 'node:os';
import { listen } from '../../emulator/index.js';
import type { Timers } from '../../base/clock.js';
import { nodeRuntime, ProcessPool, ScriptRunner, type ScriptRuntime } from '../../sandbox/index.js';
import type { CreateProbeHost, ProbeHost } from './probe-host.js';
import { describePath, renderProbe } from './probe-source.js';

export interface ScriptProcess {
  node: string;
  version: string;
  timers: Timers;
}

interface SandboxedHostOptions extends ScriptProcess {
  /** The program that the child process runs. */
  childFile: string;
  /** The runtime to use instead of Node. */
  runtime?: ScriptRuntime;
  /** The time limit for loading the script and for each response. */
  timeoutMs?: number;
}

/**
 * Runs the script in a separate process, as `platform dev` does. The process can connect only to the platform that belongs to the
 * check.
 */
export const sandboxedHost =
  ({
    node,
    childFile,
    version,
    timers,
    runtime = nodeRuntime({ childFile, node, version }),
    timeoutMs = 10_000,
  }: SandboxedHostOptions): CreateProbeHost =>
  async (mask): Promise<ProbeHost> => {
    const errors: string[] = [];
    const blocked: string[] = [];
    const listener = await listen({ port: 0, timers });
    const processes = new ProcessPool({ folder: tmpdir(), runtime, standby: false });
    processes.prepare();
    const runner = new ScriptRunner({
      processes,
      timers,
      timeoutMs,
      outbound: { reroutes: [], details: false, only: listener.origin },
      observer: {
        mask,
        log: ({ level, text }) => void (level === 'error' && errors.push(text)),
        outbound: ({ refused }) => void (refused !== undefined && blocked.push(refused)),
        background() {},
      },
    });

    return {
      timers,
      origin: listener.origin,
      call: (call) => runner.call(call),
      raw: (id, request) => runner.raw(id, request),
      serve: (platform) => listener.serve((request) => platform.fetch(request)),
      async load(script) {
        await runner.load(renderProbe(script));
      },
      errors: () => errors,
      async blocked() {
        const request = new Request(`${listener.origin}${describePath}`, { method: 'OPTIONS' });
        // Waits for a response from the process, which ensures that all earlier reports have arrived.
        await (await runner.raw('describe', request)).text();
        return [...blocked];
      },
      async close() {
        await runner.close();
        await listener.close();
      },
    };
  };
