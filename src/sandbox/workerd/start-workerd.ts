import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createDeferred } from '../../base/deferred.js';
import { randomLoopback } from '../../base/node/random-loopback.js';
import { endGroup } from '../process/end-tree.js';
import { mapComment, type ScriptFile } from '../process/script-folder.js';
import type { ReplayJob } from '../replay/replay-types.js';
import { eachLine } from '../wire/control-channel.js';
import type { CallRequest } from '../wire/send-call.js';
import { createWorkerdClient, type WorkerdClient } from './call-over-http.js';
import type { InnerInspector } from './inspector-port.js';
import { createOutboundProxy, type OutboundProxy } from './outbound-proxy.js';
import { HEAD_HEADER, type WorkerOrder, type WorkerSettings } from './worker-protocol.js';
import { renderConfig } from './workerd-config.js';

export interface WorkerdProgram {
  binary: string;
  /** The module that runs in front of the script: `dist/sandbox/workerd/worker.mjs`. */
  workerFile: string;
  version: string;
  compatibilityDate: string;
  logging: string;
  compatibilityFlags: readonly string[];
  /** The maximum heap size for the script. */
  memoryMb: number;
  /** Replaces the `fetch` of this process. */
  fetch?: typeof globalThis.fetch;
}

export type RunningWorkerd = ReturnType<typeof startWorkerd>;

interface Start {
  folder: string;
  script: ScriptFile;
  debugged: boolean;
  /** The calls to replay, if the process was started for a replay. */
  replay?: ReplayJob;
  takeLine(line: string): void;
  fetch: typeof globalThis.fetch;
}

/**
 * Starts workerd with a single script. Only the platform can connect to this workerd process, and the process can
 * connect only to the platform.
 */
export function startWorkerd(program: WorkerdProgram, start: Start) {
  const { folder, script, debugged, replay, takeLine } = start;
  const { binary, workerFile, version } = program;
  const key = newSecret();
  const service = `script-${newSecret()}`;
  const inspectorHost = chooseInspectorHost();
  const settings = { key, version, ...(replay && { replay }) };
  const files = writeWorkerdFiles(folder, { workerFile, settings, script, debugged });
  const outbound = createOutboundProxy({ key, fetch: start.fetch });
  const listening = createDeferred<WorkerdClient>();
  let child: ChildProcess | undefined;
  let client: WorkerdClient | undefined;
  let inspector: InnerInspector | undefined;
  let over = false;

  const takeReport = (line: string): void => {
    const { event, port } = JSON.parse(line) as { event: string; port: number };
    if (event === 'listen-inspector') inspector = { host: inspectorHost, port, path: `/${service}` };
    if (event !== 'listen') return;
    client = createWorkerdClient(
      files.sockets ? { socketPath: files.sockets.calls } : { host: '127.0.0.1', port },
      key,
    );
    listening.resolve(client);
  };
  const run = async (): Promise<string> => {
    await writeConfig(program, files, { outbound, service });
    if (over) return 'the platform stopped it';
    const inspect = debugged ? [`--inspector-addr=${inspectorHost}:0`] : [];
    child = spawnTied(folder, binary, ['serve', '--control-fd=3', ...inspect, files.config, 'config']);
    return follow(child, { takeLine, takeReport });
  };

  /** Resolves to the exit reason when the process ends. Never rejects. */
  const exited = run()
    .catch((error: unknown) => `it could not be started (${String(error)})`)
    .then((why) => {
      over = true;
      client?.close();
      outbound.close();
      files.remove();
      return why;
    });
  const gone = exited.then((why): never => {
    throw new Error(why);
  });
  gone.catch(() => {});

  return {
    get pid() {
      return child?.pid;
    },
    /** The address at which a debugger can attach, if debugging is allowed. */
    get inspector() {
      return inspector;
    },
    isOver: () => over,
    /** Sends a command. The first command waits until workerd is listening. */
    order: (order: WorkerOrder) =>
      Promise.race([listening.promise.then((ready) => ready.order(order)), gone]),
    call(call: CallRequest) {
      if (!client) throw new Error('It is not listening yet.');
      return client.call(call);
    },
    kill() {
      over = true;
      if (child) endTied(child);
    },
    exited,
  };
}

const newSecret = (): string => randomBytes(16).toString('base64url');

/**
 * With its inspector on a Unix socket, workerd never finishes starting. With its inspector on a port, workerd reveals
 * the inspector's path to any Host. Linux has 16 million loopback addresses, so a web page cannot guess which one to
 * point its own host name to.
 */
const chooseInspectorHost = (): string => (platform() === 'linux' ? randomLoopback() : '127.0.0.1');

async function writeConfig(
  program: WorkerdProgram,
  { config, modules, sockets }: WorkerdFiles,
  { outbound, service }: { outbound: OutboundProxy; service: string },
): Promise<void> {
  const port = await outbound.listen(sockets ? sockets.outbound : { host: '127.0.0.1', port: 0 });
  const text = renderConfig({
    ...program,
    ...modules,
    service,
    headHeader: HEAD_HEADER,
    callsAddress: sockets ? `unix:${sockets.calls}` : '127.0.0.1:0',
    outboundAddress: sockets ? `unix:${sockets.outbound}` : `127.0.0.1:${port}`,
  });
  writeFileSync(config, text);
}

/** Reads a process's output, and resolves to the reason for its exit. */
function follow(
  child: ChildProcess,
  { takeLine, takeReport }: Record<'takeLine' | 'takeReport', (line: string) => void>,
): Promise<string> {
  const [, stdout, stderr, control] = child.stdio as unknown as [null, Readable, Readable, Readable];
  for (const stream of [stdout, stderr, control]) stream.setEncoding('utf8').on('error', () => {});
  let complaint = '';
  eachLine(stdout, takeLine);
  // workerd writes errors to both streams. Lines that are not JSON come from the shell or from a crash dump.
  eachLine(stderr, (line) => {
    if (line.startsWith('{')) takeLine(line);
    else complaint ||= line.trim();
  });
  eachLine(control, takeReport);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`it could not be started (${error.message})`));
    // Waits until all output has been read, because it contains the reason why the process ended.
    child.once('close', (code, signal) => resolve(describeExit(code, signal, complaint)));
  });
}

function describeExit(code: number | null, signal: NodeJS.Signals | null, complaint: string): string {
  if (signal) return `ended by ${signal}`;
  // The shell could not start workerd, either because the program is missing or because it was built for another system.
  if (code === 126 || code === 127) return `workerd does not run on this system (${complaint})`;
  return complaint ? `exit code ${code} (${complaint})` : `exit code ${code}`;
}

/**
 * The shell starts a second shell and then replaces itself with the program, so the program keeps the shell's process
 * id. The second shell waits until the platform's pipe closes. It then ends the program, even in an infinite loop,
 * and removes the folder.
 */
const UNTIL_PARENT_ENDS =
  '{ read -r _ <&4 || { kill -9 "$$"; rm -rf "$0"; }; } >/dev/null 2>&1 3>&- & exec "$@" 4<&-';

const isWindows = platform() === 'win32';

/**
 * Starts a child process that ends together with this process, even if this process crashes. This process reads from
 * a pipe, which is file descriptor 3 in the child process.
 */
function spawnTied(folder: string, program: string, args: readonly string[]): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'];
  // On Windows, child processes end together with their parent process.
  const child = isWindows
    ? spawn(program, args, { cwd: folder, env: {}, stdio, windowsHide: true })
    : spawn('/bin/sh', ['-c', UNTIL_PARENT_ENDS, folder, program, ...args], {
        cwd: folder,
        env: { PATH: '/usr/bin:/bin' },
        stdio,
        // Ctrl-C in the terminal reaches only the platform.
        detached: true,
      });
  const lifeline = child.stdio[4] as Writable;
  lifeline.on('error', () => {});
  child.once('exit', () => lifeline.end('ended\n'));
  return child;
}

/** Ends the program and the shell that watches it. */
function endTied(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (isWindows) child.kill();
  else endGroup(child.pid);
}

/** A process's files in the sandbox's private folder. */
type WorkerdFiles = ReturnType<typeof writeWorkerdFiles>;

interface Contents {
  workerFile: string;
  settings: WorkerSettings;
  script: ScriptFile;
  debugged: boolean;
}

/** Longer socket paths do not work on all systems. */
const LONGEST_SOCKET = 100;

function writeWorkerdFiles(folder: string, { workerFile, settings, script, debugged }: Contents) {
  const name = `workerd-${randomBytes(4).toString('hex')}`;
  const own = (ending: string): string => join(folder, `${name}${ending}`);
  const sockets = { calls: own('-calls'), outbound: own('-out') };
  const worker = 'worker.mjs';
  if (!existsSync(join(folder, worker))) copyFileSync(workerFile, join(folder, worker));
  writeFileSync(own('.json'), JSON.stringify(settings));
  if (debugged) writeDebugged(script, own('.mjs'));
  return {
    config: own('.capnp'),
    /** The names of the files in the folder that contains the configuration. */
    modules: { worker, script: debugged ? `${name}.mjs` : basename(script.file), settings: `${name}.json` },
    /**
     * The paths of the process's sockets. Undefined if the system does not support Unix sockets or the paths would be too long.
     */
    sockets: platform() === 'win32' || sockets.calls.length > LONGEST_SOCKET ? undefined : sockets,
    remove() {
      for (const ending of ['.capnp', '.json', '.mjs', '-calls', '-out'])
        rmSync(own(ending), { force: true });
    },
  };
}

/** Writes the script with an inline source map, because a debugger cannot read the map from anywhere else. */
function writeDebugged({ file, map = '' }: ScriptFile, copy: string): void {
  const data = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  writeFileSync(copy, `${readFileSync(file, 'utf8')}\n${mapComment}${data}\n`);
}
