import { connect, type Socket } from 'node:net';
import type { ScriptRuntime } from '../../src/sandbox/index.js';
import { integration } from '../emulator/emulator-under-test.js';
import { startLiveEmulator, type LiveEmulator } from './live-emulator.js';

/** Responds with an endless stream. Reads an upload only if its URL or its event contains `read-all`. */
const script = `
const decoder = new TextDecoder();
const stream = () => new Response(new ReadableStream({
  start: (controller) => controller.enqueue(new TextEncoder().encode('one')),
  // Uses a timer, because workerd ends a call that has nothing left to wait for.
  pull: () => new Promise((resolve) => setTimeout(resolve, 600_000)),
}), { headers: { 'content-type': 'text/plain' } });

export default {
  async fetch(request) {
    const reader = request.body?.getReader();
    if (!reader) return stream();
    let { done, value } = await reader.read();
    const text = decoder.decode(value);
    if (text.includes('installation_setup')) return new Response('fine');
    if (request.url.includes('read-all') || text.includes('read-all'))
      while (!done) ({ done } = await reader.read());
    return stream();
  },
};`;

/** A client on a plain socket that never closes its own side. */
interface Client {
  socket: Socket;
  /** Resolves to the received data once it contains the text. */
  receives(text: string): Promise<string>;
  isClosed(): boolean;
}

function open(origin: string, head: string): Client {
  const { port, hostname } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let received = '';
  let closed = false;
  const waiting = new Set<() => void>();
  const wake = (): void => waiting.forEach((look) => look());
  socket
    .setEncoding('latin1')
    .on('data', (data) => {
      received += data;
      wake();
    })
    .on('error', () => {})
    // A socket notices that the other side has fully closed it only when it writes.
    .on('end', () => {
      const probe = setInterval(() => (socket.destroyed ? clearInterval(probe) : socket.write('x')), 50);
    })
    .on('close', () => {
      closed = true;
      wake();
    });
  socket.write(head.replaceAll('HOST', `${hostname}:${port}`));
  return {
    socket,
    receives: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (received.includes(text)) resolve(received);
          else if (closed) reject(new Error(`The connection was closed after: ${received}`));
        };
        waiting.add(look);
        look();
      }),
    isClosed: () => closed,
  };
}

interface Surface {
  console?: boolean;
  /** A path whose response is long, or at least complete. */
  path: string;
  method?: 'POST';
  headers?: string;
  /** A path that the surface rejects. */
  refused: string;
  /** Whether the script responds, which it does with an endless stream. */
  scripted?: boolean;
  /** Whether an endless upload reaches the script. */
  uploads?: boolean;
}

const installed = '/v1/integrations/sample/installations/installation_1';
const key = 'X-Platform-Token: control\r\n';

const surfaces: Record<string, Surface> = {
  'public endpoint': { path: installed, refused: `${installed}0`, scripted: true, uploads: true },
  envelope: { path: '/v1', refused: '/v1x', scripted: true, uploads: true },
  content: {
    path: `/content${installed.slice(3)}/sites/site_local/script.js`,
    refused: `/content${installed.slice(3)}/sites/nowhere/script.js`,
    scripted: true,
  },
  'management API': { path: '/api/v1/integrations/sample', refused: '/api/v1/nothing' },
  'console API': {
    console: true,
    path: '/console/api/overview',
    headers: key,
    refused: '/console/api/overview',
  },
  'live stream': { console: true, path: '/console/api/stream', headers: key, refused: '/console/api/stream' },
  OAuth: { console: true, path: '/oauth/authorize', refused: '/oauth/nothing' },
};

interface Request {
  method: string;
  path?: string;
  headers?: string;
  /** How many times the request is sent without waiting for a response. */
  times?: number;
}

interface Live extends LiveEmulator {
  send(surface: Surface, request: Request): Client;
}

type Attack = (live: Live, surface: Surface) => Promise<Client[]>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const repeat = <T>(count: number, run: () => T): T[] => Array.from({ length: count }, run);
const mebibyte = Buffer.alloc(1024 * 1024);

/** Sends chunks until the connection is closed or this many MiB have been sent. */
async function upload({ socket, isClosed }: Client, mebibytes: number): Promise<void> {
  for (let sent = 0; sent < mebibytes && !isClosed(); sent += 1) {
    socket.write('100000\r\n');
    socket.write(mebibyte);
    if (socket.write('\r\n') || isClosed()) continue;
    await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), wait(500)]);
  }
}

const chunked = 'Transfer-Encoding: chunked\r\n';

/** What a client does. Returns the clients whose sockets the platform must close. */
const attacks: Record<string, Attack> = {
  async HEAD(live, surface) {
    const count = surface.console ? 65 : 3;
    const clients = repeat(count, () => live.send(surface, { method: 'HEAD' }));
    await Promise.all(clients.map(({ receives }) => receives('\r\n\r\n')));
    clients.forEach(({ socket }) => socket.end());
    return clients;
  },
  async '413'(live, surface) {
    const path = surface.uploads ? `${surface.path}?read-all` : surface.path;
    const client = live.send(surface, { method: 'POST', path, headers: chunked });
    await upload(client, surface.uploads ? 104 : 2);
    await client.receives('\r\n\r\n');
    if (!surface.scripted || surface.uploads) return [client];
    // The script responds without reading the body, so the client may stay connected as long as it likes.
    client.socket.destroy();
    return [];
  },
  async refused(live, surface) {
    const clients = ['Content-Length: 100\r\n', chunked, 'Content-Length: 1000000\r\n'].map((length) => {
      const client = live.send(
        { ...surface, headers: '' },
        { method: 'POST', path: surface.refused, headers: length },
      );
      client.socket.write(length === chunked ? '5\r\nhello\r\n' : 'hello'.repeat(10));
      return client;
    });
    await Promise.all(clients.map(({ receives }) => receives('\r\n\r\n')));
    return clients;
  },
  async 'client gone'(live, surface) {
    const reading = live.send(surface, { method: 'GET' });
    await reading.receives('\r\n\r\n');
    reading.socket.destroy();
    const pipelined = live.send(surface, { method: 'GET', times: 4 });
    await pipelined.receives('\r\n\r\n');
    await wait(50);
    pipelined.socket.destroy();
    if (!surface.uploads) return [];
    const uploading = live.send(surface, { method: 'POST', headers: chunked });
    await Promise.all([uploading.receives('one'), upload(uploading, 8)]);
    uploading.socket.destroy();
    return [];
  },
  async closing(live, surface) {
    const clients = repeat(3, () => live.send(surface, { method: 'GET' }));
    await Promise.all(clients.map(({ receives }) => receives('\r\n\r\n')));
    await live.stopListening();
    return clients;
  },
};

function headOf({ path, headers = '' }: Surface, request: Request): string {
  const own = `Host: HOST\r\n${headers}${request.headers ?? ''}`;
  return `${request.method} ${request.path ?? path} HTTP/1.1\r\n${own}\r\n`.repeat(request.times ?? 1);
}

/** Lists the resources that are still held after an attack. */
async function held(live: Live, surface: Surface, clients: Client[]): Promise<string[]> {
  const found: string[] = [];
  live.store.callLog.flush();
  const running = live.store.callLog.list().filter(({ call }) => call.outcome === 'running');
  if (live.unfinishedCalls() > 0) found.push(`${live.unfinishedCalls()} calls in the sandbox`);
  if (running.length > 0) found.push(`${running.length} recorded calls`);
  const open = clients.filter(({ isClosed }) => !isClosed());
  if (open.length > 0) found.push(`${open.length} sockets`);
  return found;
}

/** The live stream allows 64 readers. All 64 must be able to connect again. */
async function takenReaders(live: Live, surface: Surface): Promise<string[]> {
  const readers = repeat(64, () => live.send(surface, { method: 'GET' }));
  const heads = await Promise.all(readers.map(({ receives }) => receives('\r\n\r\n').catch(String)));
  readers.forEach(({ socket }) => socket.destroy());
  const taken = heads.filter((head) => !head.startsWith('HTTP/1.1 200')).length;
  return taken > 0 ? [`${taken} readers`] : [];
}

/** How long a socket may take to close or a call may take to end. */
const patienceMs = 15_000;

export interface LeakCell {
  surface: string;
  attack: string;
  held: string[];
}

async function attackAll(
  [name, surface]: [string, Surface],
  runtime: ScriptRuntime | undefined,
): Promise<LeakCell[]> {
  // An upload that the script does not read is aborted after the call's time limit.
  const emulator = await startLiveEmulator(script, { integration, limits: { timeMs: 1000 } }, runtime);
  const live: Live = {
    ...emulator,
    send: (to, request) => open(to.console ? emulator.consoleOrigin : emulator.origin, headOf(to, request)),
  };
  const cells: LeakCell[] = [];
  for (const [attack, run] of Object.entries(attacks)) {
    const clients = await run(live, surface).catch((error: unknown) => String(error));
    if (typeof clients === 'string') {
      cells.push({ surface: name, attack, held: [clients] });
      continue;
    }
    const look = async (): Promise<string[]> => [
      ...(await held(live, surface, clients)),
      ...(name === 'live stream' && attack !== 'closing' ? await takenReaders(live, surface) : []),
    ];
    let left = await look();
    for (const start = performance.now(); left.length > 0 && performance.now() - start < patienceMs;) {
      await wait(250);
      left = await look();
    }
    cells.push({ surface: name, attack, held: left });
    clients.forEach(({ socket }) => socket.destroy());
  }
  await emulator.close();
  return cells;
}

/** Runs every attack on every surface. Each surface has its own process and sockets. */
export async function runLeakMatrix(runtime?: ScriptRuntime): Promise<LeakCell[]> {
  const rows = await Promise.all(Object.entries(surfaces).map((surface) => attackAll(surface, runtime)));
  return rows.flat();
}
