import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tooManyHeaders } from '../../base/node/too-many-headers.js';
import { UserError } from '../../base/user-error.js';
import type { MetricsAddress } from './parse-values.js';

interface WorkerSignals {
  render(): Promise<string>;
  /** Whether the worker is connected to the database. */
  healthy(): boolean;
  readiness(): Readiness;
}

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>;

/** Serves `/metrics`, `/livez`, `/readyz` and `/healthz`. */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  { render, healthy, readiness }: WorkerSignals,
) {
  const server = createServer({
    headersTimeout: 5000,
    requestTimeout: 5000,
    connectionsCheckingInterval: 1000,
  });
  server.on('request', (request, response) => {
    const send = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    const excess = tooManyHeaders(request);
    if (excess !== undefined) return send(431, `${excess}\n`);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(405, 'Only GET and HEAD are allowed.\n');
    const [path] = (request.url ?? '').split('?');
    // A response of any kind shows that the process is running.
    if (path === '/livez') return send(200, 'ok\n');
    if (path === '/readyz') {
      const state = readiness();
      return send(state.ready ? 200 : 503, `${JSON.stringify(state)}\n`, 'application/json');
    }
    if (path === '/healthz') return healthy() ? send(200, 'ok\n') : send(503, 'no database session\n');
    if (path !== '/metrics')
      return send(404, 'Not found. Available: /livez, /readyz, /healthz and /metrics.\n');
    render().then(
      (text) => send(200, text, 'text/plain; version=0.0.4; charset=utf-8'),
      () => send(500, 'The metrics could not be read.\n'),
    );
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, host, resolve),
  ).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      'metrics-address',
      `The metrics cannot be served at ${host}:${port}: ${reasonOf(error)}.`,
      'Choose another address with --metrics <host:port>.',
    );
  });
  const { address, port: actual, family } = server.address() as AddressInfo;
  return {
    /** The URL, without a path. */
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'the port is in use';
  if (code === 'EACCES') return 'this user is not allowed to use the port';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'the address does not belong to this machine';
  return message;
}

/**
 * How long reading or sending may stall before the worker no longer counts as ready. Longer than any request can take,
 * because an unresponsive endpoint delays its own requests by 10 s.
 */
const longestMs = 15_000;

type Readiness =
  | { ready: true }
  | { ready: false; reason: 'no-session' | 'not-reading' | 'not-sending'; message: string };

/** Whether a worker is connected to the database and is reading and sending due deliveries. */
export function readinessOf(worker: {
  connected: boolean;
  sinceReadMs: number;
  stalledMs: number;
}): Readiness {
  const { connected, sinceReadMs, stalledMs } = worker;
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  if (!connected) {
    return { ready: false, reason: 'no-session', message: 'The worker is not connected to the database.' };
  }
  if (sinceReadMs > longestMs) {
    const message = `The worker has not been able to read due deliveries for ${seconds(sinceReadMs)}.`;
    return { ready: false, reason: 'not-reading', message };
  }
  if (stalledMs > longestMs) {
    const message = `Deliveries are due, but no request has started for ${seconds(stalledMs)}.`;
    return { ready: false, reason: 'not-sending', message };
  }
  return { ready: true };
}
