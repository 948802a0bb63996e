import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../publish/png.js';
import { startDevProject, type DevProject } from '../support/dev-project.js';
import { manifestText } from '../support/manifest-text.js';

/** Heads that a script forges, by the last part of the path. */
const script = `
const forged = { Trailer: 'X-Late', Connection: 'keep-alive, X-Secret', 'Keep-Alive': 'timeout=9', Upgrade: 'h2c',
  'Transfer-Encoding': 'chunked', 'Content-Length': '2' };
const stream = (...pieces) => new ReadableStream({
  async pull(controller) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const piece = pieces.shift();
    if (piece === undefined) controller.close();
    else controller.enqueue(new TextEncoder().encode(piece));
  },
});
const responses = {
  whole: () => new Response('fine', { headers: forged }),
  stream: () => new Response(stream('fi', 'ne'), { headers: forged }),
  long: () => new Response(stream('fine'), { headers: { ...forged, 'Content-Length': '1000' } }),
  empty: () => new Response(null, { status: 204, headers: forged }),
};
export default { async fetch(request) {
  const form = await request.formData();
  const { request: { url } } = JSON.parse(await new Response(form.get('event')).text());
  return responses[new URL(url).pathname.split('/').at(-1)]();
} };`;

let project: DevProject;
beforeAll(async () => {
  project = await startDevProject('projects/boundary', [], (folder) => {
    writeFileSync(join(folder, 'src/index.ts'), script);
    writeFileSync(join(folder, 'icon.png'), png(512, 512));
    writeFileSync(join(folder, 'platform-manifest.yaml'), `${manifest}icon: icon.png\n`);
  });
});
afterAll(() => project.close());

const manifest = manifestText({ name: 'boundary', more: 'script: src/index.ts\n' });

const path = '/v1/integrations/boundary';
/** The port is put in when this is sent. */
const head = 'HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n';

/** What comes back on a bare socket until it is closed. */
const raw = (text: string, { hostname, host, port } = new URL(project.urls.envelope)): Promise<string> =>
  new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(text.replace('127.0.0.1:PORT', host).replace('PORT', port)),
    );
    socket.setEncoding('latin1').on('data', (data: string) => (received += data));
    socket.on('error', () => {}).on('close', () => resolve(received));
  });

const framing = /^(content-length|transfer-encoding|trailer|connection|keep-alive|upgrade):.*$/gim;

test.each([
  ['whole', 'GET', ['content-length: 4'], 'fine'],
  ['whole', 'HEAD', ['content-length: 4'], ''],
  ['stream', 'GET', ['transfer-encoding: chunked'], '2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n'],
  ['long', 'GET', ['transfer-encoding: chunked'], '4\r\nfine\r\n0\r\n\r\n'],
  ['empty', 'GET', [], ''],
])("corrects forged framing headers in a script's response: %s, %s", async (kind, method, headers, body) => {
  const received = await raw(`${method} ${path}/${kind} ${head}Connection: close\r\n\r\n`);
  const [start = '', ...rest] = received.split('\r\n\r\n');
  const sent = start.match(framing)?.map((line) => line.toLowerCase()) ?? [];
  console.log(`forged head (${kind}, ${method}): sent ${sent.join(', ')}`);
  expect(sent.toSorted()).toEqual(['connection: close', ...headers].toSorted());
  expect(rest.join('\r\n\r\n')).toBe(body);
});

test('rejects TRACE, CONNECT, oversized headers and requests with conflicting lengths', async () => {
  const requests: [what: string, status: string, text: string][] = [
    ['TRACE', '405', `TRACE /v1 ${head}Connection: close\r\n\r\n`],
    ['TRACE of an endpoint', '405', `TRACE ${path} ${head}Connection: close\r\n\r\n`],
    ['CONNECT', '405', `CONNECT localhost:80 ${head}\r\n`],
    ['a header of 20 KB', '431', `GET / ${head}X-A: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['two Content-Lengths', '400', `POST ${path} ${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'Content-Length and chunked encoding',
      '400',
      `POST ${path} ${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
  ];
  const seen: string[] = [];
  for (const [what, status, text] of requests) {
    expect([what, (await raw(text)).slice(9, 12)]).toEqual([what, status]);
    seen.push(`${what} ${status}`);
  }
  console.log(`request heads: ${seen.join(', ')}`);
});

test('rejects cross-site requests without an Origin header, and images requested by other origins', async () => {
  const { origin } = new URL(project.urls.envelope);
  const consoleOrigin = new URL(project.urls.console).origin;
  // Chromium loads ahead of time what a page of another site asks for, as if the user had typed it.
  const sites = [
    'cross-site',
    'same-site',
    'none\r\nSec-Purpose: prefetch',
    'none\r\nSec-Purpose: prefetch;prerender',
  ];
  const paths = [`${origin}/v1`, `${origin}/v2`, `${origin}/api/v1/integrations/boundary`];
  const statuses: number[] = [];
  for (const site of sites) {
    for (const url of [...paths, `${consoleOrigin}/console/api/overview`])
      for (const method of ['GET', 'POST']) {
        const key = `X-Platform-Token: ${project.key}\r\n`;
        const rest = `Sec-Fetch-Site: ${site}\r\n${key}Content-Length: 0\r\nConnection: close\r\n\r\n`;
        const received = await raw(`${method} ${new URL(url).pathname} ${head}${rest}`, new URL(url));
        expect([url, method, site, received.slice(9, 12)]).toEqual([url, method, site, '403']);
        statuses.push(403);
      }
  }
  const icon = await fetch(`${consoleOrigin}/console/assets/icon`);
  expect([icon.status, icon.headers.get('cross-origin-resource-policy')]).toEqual([200, 'cross-origin']);
  const foreign = { headers: { Origin: 'https://evil.example.com' } };
  expect((await fetch(`${consoleOrigin}/console/assets/icon`, foreign)).status).toBe(403);
  console.log(
    `other sites: ${statuses.length} of ${statuses.length} requests without Origin refused; the icon has Cross-Origin-Resource-Policy ${icon.headers.get('cross-origin-resource-policy')}`,
  );
});
