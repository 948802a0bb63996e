import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutboundMap } from '../../src/protocol/outbound-map.js';
import type { ScriptRuntime } from '../../src/sandbox/index.js';
import { script } from './sample-call.js';
import { startSandbox, type Started } from './start-sandbox.js';

interface Visit {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Makes the request described in the call's body and returns what the script receives. */
const fetching = script(
  `const { url, init } = JSON.parse(body);
  try {
    const response = await fetch(url, init);
    return Response.json({ status: response.status, url: response.url, redirected: response.redirected, text: await response.text() });
  } catch (error) {
    return Response.json({ error: String(error.cause ?? error) });
  }`,
);

/** Tests how `outbound` changes a script's requests in one runtime. */
export function describeMappedOutbound(runtime: () => Promise<ScriptRuntime | undefined>): void {
  const visits: Visit[] = [];
  let server: Server;
  let other: Server;
  let double: string;
  let platform: string;
  const redirects: Record<string, string> = {
    '/away': 'https://other.example/there',
    '/near': '/there',
    '/plain': 'http://plain.example/there',
    '/dotted': 'https://other.example./there',
  };

  beforeAll(async () => {
    const open = async (): Promise<Server> => {
      const opened = createServer((request, response) => {
        const pieces: Buffer[] = [];
        request.on('data', (piece: Buffer) => pieces.push(piece));
        request.on('end', () => {
          const { method = '', url = '', headers } = request;
          visits.push({ method, url, headers, body: Buffer.concat(pieces).toString() });
          const location = url === '/own' ? `${double}/there` : redirects[url];
          if (location === undefined) response.end('from the double');
          else response.writeHead(url === '/near' ? 307 : 302, { location }).end();
        });
      });
      opened.on('upgrade', ({ url = '', method = '', headers }, socket) => {
        visits.push({ method, url, headers, body: '' });
        socket.destroy();
      });
      await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
      return opened;
    };
    [server, other] = [await open(), await open()];
    double = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    platform = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    other.close();
  });

  const start = async (map: OutboundMap): Promise<Started> => {
    visits.length = 0;
    const found = await runtime();
    const started = await startSandbox({
      ...(found && { runtime: found }),
      outbound: { reroutes: [], details: true, map: { ...map, spared: [platform] } },
    });
    await started.sandbox.load(fetching);
    return started;
  };
  const send = async (
    { send: call }: Started,
    url: string,
    init?: object,
  ): Promise<Record<string, unknown>> =>
    JSON.parse((await call(JSON.stringify({ url, init }))).text) as Record<string, unknown>;
  const hosts = (): OutboundMap => ({
    hosts: { 'api.example': { to: double }, 'api.example:8443': { to: double, credentials: 'real' } },
    rest: 'refuse',
  });

  describe('outbound in platform.dev.yaml', () => {
    it('sends a request to a mock server with the original host in a header', async () => {
      const started = await start(hosts());
      const response = await send(started, 'https://api.example/a?b=c');
      expect(response).toMatchObject({
        status: 200,
        url: 'https://api.example/a?b=c',
        text: 'from the double',
      });
      expect(visits).toHaveLength(1);
      expect(visits[0]).toMatchObject({
        url: '/a?b=c',
        headers: { 'x-forwarded-host': 'api.example', 'x-forwarded-proto': 'https' },
      });
      await expect.poll(() => started.outbound).toHaveLength(1);
      expect(started.outbound[0]).toMatchObject({ url: 'https://api.example/a?b=c', rerouted: double });
    });

    it.each([
      ['a default port', 'https://api.example:443/'],
      ['capital letters', 'https://API.Example/'],
      ['a trailing dot', 'https://api.example./'],
    ])('maps a host written with %s', async (_, url) => {
      expect(await send(await start(hosts()), url)).toMatchObject({ text: 'from the double' });
    });

    it.each([
      ['a different port', 'https://api.example:8444/'],
      ['a longer host name', 'https://www.api.example/'],
      ['a local address', 'http://127.0.0.1:9/'],
      ['a name inherited by objects', 'https://constructor/'],
    ])('rejects a request to %s, which is not mapped', async (_, url) => {
      const started = await start(hosts());
      expect(await send(started, url)).toMatchObject({ error: expect.any(String) });
      await expect.poll(() => started.outbound).toHaveLength(1);
      expect(started.outbound[0]).toMatchObject({ rerouted: 'refused', status: 0 });
      expect(visits).toEqual([]);
    });

    it('never reroutes requests to the platform', async () => {
      const started = await start(hosts());
      expect(await send(started, `${platform}/api`)).toMatchObject({ status: 200 });
      await expect.poll(() => started.outbound).toHaveLength(1);
      expect(started.outbound[0]).not.toHaveProperty('rerouted');
    });

    it('returns a configured status after a delay without sending a request', async () => {
      const started = await start({
        hosts: { 'slow.example': { status: 503, delayMs: 120 } },
        rest: 'refuse',
      });
      const began = performance.now();
      expect(await send(started, 'https://slow.example/', { method: 'POST', body: 'x' })).toMatchObject({
        status: 503,
      });
      expect(performance.now() - began).toBeGreaterThanOrEqual(119);
      await expect.poll(() => started.outbound).toHaveLength(1);
      expect(started.outbound[0]).toMatchObject({ rerouted: 'status 503 after 120 ms', status: 503 });
    });

    it('replaces secrets in the URL, headers and body with example values', async () => {
      const started = await start(hosts());
      const basic = Buffer.from('name:canary-secret').toString('base64');
      await send(started, 'https://api.example/?key=canary-secret', {
        method: 'POST',
        headers: { authorization: `Basic ${basic}`, 'x-key': 'canary-secret' },
        body: JSON.stringify({ key: 'canary-secret', name: 'é' }),
      });
      expect(JSON.stringify(visits)).not.toContain('canary-secret');
      expect(visits[0]).toMatchObject({
        url: '/?key=example-secret',
        body: '{"key":"example-secret","name":"é"}',
      });
      expect(visits[0]?.headers).toMatchObject({
        'x-key': 'example-secret',
        authorization: `Basic ${Buffer.from('name:example-secret').toString('base64')}`,
      });
    });

    it('forwards real secrets if credentials is set to real', async () => {
      await send(await start(hosts()), 'https://api.example:8443/', {
        headers: { 'x-key': 'canary-secret' },
      });
      expect(visits[0]?.headers).toMatchObject({
        'x-key': 'canary-secret',
        'x-forwarded-host': 'api.example:8443',
      });
    });

    it('does not send a body that is too long to search for secrets', async () => {
      const started = await start(hosts());
      const init = { method: 'POST', body: 'x'.repeat(512 * 1024 + 1) };
      expect(await send(started, 'https://api.example/', init)).toMatchObject({ error: expect.any(String) });
      expect(visits).toEqual([]);
      const fits = { method: 'POST', body: 'x'.repeat(512 * 1024) };
      expect(await send(started, 'https://api.example/', fits)).toMatchObject({ status: 200 });
      expect(visits[0]?.body).toHaveLength(512 * 1024);
    });

    it('maps each redirect in the same way as the first request', async () => {
      const map = { hosts: { ...hosts().hosts, 'other.example': { status: 418 } }, rest: 'refuse' as const };
      const started = await start(map);
      expect(await send(started, 'https://api.example/away')).toMatchObject({ status: 418 });
      expect(await send(started, 'https://api.example/dotted')).toMatchObject({ status: 418 });
    });

    it('follows a redirect to the same host with its method and body', async () => {
      const response = await send(await start(hosts()), 'https://api.example/near', {
        method: 'POST',
        body: 'again',
      });
      expect(response).toMatchObject({ url: 'https://api.example/there', redirected: true });
      expect(visits.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
        'POST /near again',
        'POST /there again',
      ]);
    });

    it("treats a redirect to the mock server's URL as one to the original host", async () => {
      const response = await send(await start(hosts()), 'https://api.example/own');
      expect(response).toMatchObject({ url: 'https://api.example/there', text: 'from the double' });
    });

    it.each(['/away', '/plain'])('does not follow a redirect to an unmapped host: %s', async (path) => {
      expect(await send(await start(hosts()), `https://api.example${path}`)).toMatchObject({
        error: expect.any(String),
      });
      expect(visits.map(({ url }) => url)).toEqual([path]);
    });

    it('does not follow a redirect from HTTPS to HTTP on another host', async () => {
      const map = { hosts: { ...hosts().hosts, 'plain.example': { status: 200 } }, rest: 'pass' as const };
      const started = await start(map);
      expect(await send(started, 'https://api.example/plain')).toHaveProperty('error');
      expect(await send(started, 'http://api.example/plain')).toMatchObject({ status: 200 });
      const manual = { redirect: 'manual' };
      expect(await send(started, 'https://api.example/plain', manual)).toMatchObject({ status: 302 });
    });
  });
}
