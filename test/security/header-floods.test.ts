import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { envelopeRequest } from '../support/envelope-request.js';
import { environment } from '../support/environment.js';
import { serve } from '../support/serve.js';

let project: DevProject;
let victim: Awaited<ReturnType<typeof serve>>;
/** What a forged envelope made the script request. */
let reached = 0;
beforeAll(async () => {
  victim = await serve(() => {
    reached += 1;
    return Response.json({});
  });
  project = await startDevProject('projects/boundary');
}, 30_000);
afterAll(async () => {
  await project.close();
  await victim.close();
});

/** Node keeps 1,000 headers. These fit twice into its limit of bytes. */
const filler = (count: number): string => 'a:\r\n'.repeat(count);

/** Sends a head, and what `more` writes after it. Resolves to the status when the socket is closed. */
const send = (
  origin: string,
  head: string,
  more: (socket: Socket) => void = () => {},
): Promise<{ status: string; sent: number }> =>
  new Promise((resolve) => {
    const { hostname, port, host } = new URL(origin);
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(head.replace('HOST', host));
      more(socket);
    });
    socket
      .setEncoding('latin1')
      .on('data', (data: string) => {
        received += data;
        if (received.includes('\r\n\r\n')) socket.end();
      })
      .on('error', () => {})
      .on('close', () => resolve({ status: received.slice(9, 12), sent: socket.bytesWritten }));
  });

test('detects a forwarded request even if the forwarding header follows thousands of others', async () => {
  const { origin } = new URL(project.urls.envelope);
  const consoleOrigin = new URL(project.urls.console).origin;
  const forged = envelopeRequest(
    { type: 'fetch', request: { url: `${origin}/x/outbound`, method: 'GET', headers: {} } },
    { environment: environment({ apiEndpoint: victim.url }) },
  );
  const body = Buffer.from(await forged.arrayBuffer());
  const type = `Content-Type: ${forged.headers.get('content-type')}\r\nContent-Length: ${body.length}\r\n`;
  const statuses: string[] = [];
  for (const count of [0, 190, 250, 990, 1980, 3000]) {
    const hidden = `${filler(count)}X-Forwarded-For: 203.0.113.7\r\nConnection: close\r\n\r\n`;
    const { status } = await send(origin, `POST /v1 HTTP/1.1\r\nHost: HOST\r\n${type}${hidden}`, (socket) =>
      socket.write(body),
    );
    const key = `X-Platform-Token: ${project.key}\r\n`;
    const asked = `GET /console/api/overview HTTP/1.1\r\nHost: HOST\r\n${key}${hidden}`;
    statuses.push(status, (await send(consoleOrigin, asked)).status);
  }
  console.log(
    `X-Forwarded-For behind 0 to 3,000 headers: ${statuses.join(', ')}; ${reached} envelopes reached the script`,
  );
  expect(reached).toBe(0);
  expect(statuses.filter((status) => status !== '403' && status !== '431')).toEqual([]);
});

/** Ends a request that the server does not end itself. */
const mebibyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')]);

test.each([
  ['visible', 0, ['413'], 120],
  // The connection ends during the upload, so a busy client can lose the response.
  ['hidden behind 1,980 headers', 1980, ['431', ''], 16],
])('limits a body without a length if Transfer-Encoding is %s', async (how, count, expected, most) => {
  const { origin, pathname } = new URL(project.urls.publicEndpoint);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: HOST\r\n${filler(count)}Transfer-Encoding: chunked\r\n\r\n`;
  const { status, sent } = await send(origin, head, (socket) => {
    let pieces = 0;
    const push = (): void => {
      while (pieces < 500 && !socket.destroyed) {
        pieces += 1;
        if (!socket.write(mebibyte)) return void socket.once('drain', push);
      }
      socket.write('0\r\n\r\n');
    };
    push();
  });
  console.log(`500 MiB with Transfer-Encoding ${how}: ${status} after ${Math.round(sent / 1024 / 1024)} MiB`);
  expect(expected).toContain(status);
  expect(sent / 1024 / 1024).toBeLessThan(most);
});
