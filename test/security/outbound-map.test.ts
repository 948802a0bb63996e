import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startDev, type DevSession } from '../support/dev-session.js';
import { runCli } from '../support/run-cli.js';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { manifestText } from '../support/manifest-text.js';

let session: DevSession | undefined;
afterEach(() => session?.stop());

const key = 'live-key-of-the-author-4711';

/** Somebody else's project, with a map of their own. */
function strangersProject(map: string): string {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(
    'platform-manifest.yaml',
    manifestText({
      name: 'sample',
      more: `script: index.ts
secrets:
  KEY: \${{ env.SAMPLE_KEY }}
`,
    }),
  );
  write('.env', `SAMPLE_KEY=${key}\n`);
  write('platform.dev.yaml', map);
  write(
    'index.ts',
    `import { createIntegration } from 'integration-platform';
export default createIntegration({
  async fetch(request, { environment }: any) {
    const to = new URL(request.url).searchParams.get('to') ?? '';
    const authorization = 'Bearer ' + environment.secrets.KEY;
    try {
      const response = await fetch(to, { method: 'POST', headers: { authorization }, body: environment.secrets.KEY });
      return new Response(response.status + ' ' + (await response.text()));
    } catch (error) {
      return new Response(String(error));
    }
  },
});
`,
  );
  return folder;
}

async function listen(answer: string): Promise<{ origin: string; received: string[]; close(): void }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      received.push(JSON.stringify([request.url, request.headers, body]));
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, received, close: () => server.close() };
}

const ask = async (to: string): Promise<string> =>
  (await fetch(`${session?.urls.publicEndpoint}?to=${encodeURIComponent(to)}`)).text();

const attempts = {
  'another machine': 'api.example: http://evil.example',
  'another machine in brackets': 'api.example: { to: "http://evil.example:80" }',
  'a name that starts like a loopback address': 'api.example: http://127.0.0.1.evil.example',
  'a user name before the host': 'api.example: http://127.0.0.1@evil.example',
  'a number that is not a loopback address': 'api.example: http://2130706434',
  'the metadata service': 'api.example: http://169.254.169.254',
  'the address 0.0.0.0': 'api.example: http://0.0.0.0:80',
  'a file': 'api.example: file:///etc/passwd',
  'a path': 'api.example: http://127.0.0.1:1/steal',
  'a port out of range': 'api.example: http://127.0.0.1:99999',
  'a secret in the URL': 'api.example: http://127.0.0.1:1/?${{ env.SAMPLE_KEY }}',
  'localhost as a host': 'localhost:4100: http://127.0.0.1:1',
  'a loopback address as a host': '127.0.0.1: http://127.0.0.1:1',
  'a wildcard for every host': '"*": http://127.0.0.1:1',
  'a wildcard for part of a name': '"*.example": http://127.0.0.1:1',
  'capital letters': 'API.example: http://127.0.0.1:1',
  'a URL as a host': 'https://api.example: http://127.0.0.1:1',
  'the name of an inherited property': '__proto__: http://127.0.0.1:1',
  'an unknown key': 'api.example: { to: "http://127.0.0.1:1", headers: { a: b } }',
  'a delay of a year': 'api.example: { status: 200, delayMs: 31536000000 }',
  'the status 101': 'api.example: { status: 101 }',
  'a name that resolves to a loopback address': 'api.example: http://localtest.me',
  'a subdomain of localhost': 'api.example: http://evil.localhost',
  'a name that begins with localhost': 'api.example: http://localhost.evil.example',
  'another spelling of a loopback address': 'api.example: http://0x7f.1',
  'an IPv6 loopback address in full': 'api.example: "http://[0:0:0:0:0:ffff:127.0.0.1]"',
  'a link-local address': 'api.example: "http://[fe80::1]"',
  'a server with TLS': 'api.example: https://127.0.0.1',
  'a password for the server': 'api.example: http://a:b@127.0.0.1:1',
  'a fragment': 'api.example: "http://127.0.0.1:1#a"',
  'a line break in the server': 'api.example: "http://127.0.0.1:1\\r\\nX-Key: a"',
  'a line break in a host': '"api.example\\r\\nX-Key: a": http://127.0.0.1:1',
  'an escape sequence in a host': '"\\e[31mapi.example": http://127.0.0.1:1',
  'a trailing dot': 'api.example.: http://127.0.0.1:1',
  'a host with a non-ASCII character': 'äpi.example: http://127.0.0.1:1',
  'a loopback address as one number': '"2130706433": http://127.0.0.1:1',
  'a loopback address in hexadecimal': '"0x7f000001": http://127.0.0.1:1',
  'a loopback address in octal': '"0177.0.0.1": http://127.0.0.1:1',
  'an IPv6 loopback address as a host': '"[::1]": http://127.0.0.1:1',
  'a subdomain of localhost as a host': 'a.localhost: http://127.0.0.1:1',
  'credentials in a host': 'a@api.example: http://127.0.0.1:1',
  'an unknown value for credentials': 'api.example: { to: "http://127.0.0.1:1", credentials: all }',
  'both a status and a server': 'api.example: { to: "http://127.0.0.1:1", status: 200 }',
};

test.each(Object.entries(attempts))('rejects an outbound map with %s', async (_, entry) => {
  const folder = strangersProject(`outbound:\n  ${entry}\n`);
  const { code, stdout } = await runCli(['validate', folder, '--json']);
  expect(code).not.toBe(0);
  expect(stdout).toMatch(/manifest\/(?:invalid-outbound|reserved-key)/);
  // oxlint-disable-next-line no-control-regex
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
});

test('does not start dev with an invalid outbound map', async () => {
  const folder = strangersProject(`outbound:\n  ${attempts['another machine']}\n`);
  const { code } = await runPlatform(['dev', folder, '--port', '0', '--state', 'memory', '--exec', 'true']);
  expect(code).not.toBe(0);
});

test('sends no secret to the mock server of an untrusted project, and shows where requests go', async () => {
  const double = await listen('from the double');
  const folder = strangersProject(`outbound:\n  api.example: ${double.origin}\n  "*": refuse\n`);
  session = await startDev(folder);
  expect(await ask('https://api.example/a')).toBe('200 from the double');
  const own = new URL(session.urls.publicEndpoint).origin;
  expect(await ask(`${own}/nothing-here`)).toMatch(/^404/);
  expect(await ask('https://other.example/')).toContain('blocked by platform.dev.yaml');
  expect(await ask(double.origin)).toContain('blocked by platform.dev.yaml');
  expect(double.received).toHaveLength(1);
  expect(double.received[0]).not.toContain(key);
  const warnings = session.lines.filter(({ code }) => code === 'outbound').map(({ message }) => message);
  expect(warnings).toEqual([
    expect.stringContaining(`api.example go to ${double.origin}, with made-up secrets`),
    expect.stringContaining('other hosts are refused'),
  ]);
  double.close();
});

test('dev prints which hosts receive real secrets', async () => {
  const double = await listen('from the double');
  session = await startDev(
    strangersProject(`outbound:\n  api.example: { to: "${double.origin}", credentials: real }\n`),
  );
  expect(await ask('https://api.example/a')).toBe('200 from the double');
  expect(double.received[0]).toContain(key);
  const warnings = session.lines.filter(({ code }) => code === 'outbound').map(({ message }) => message);
  expect(warnings).toEqual([expect.stringMatching(/api\.example.*real secrets/)]);
  double.close();
});

test('rejects an outbound map with 20,000 hosts', async () => {
  const entries = Array.from({ length: 20_000 }, (_, n) => `  h${n}.example: http://127.0.0.1:1\n`);
  const { code, stdout } = await runPlatform([
    'validate',
    strangersProject(`outbound:\n${entries.join('')}`),
  ]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('manifest/too-large')]);
});

test('applies a changed outbound map without a restart', async () => {
  const [first, second] = [await listen('first'), await listen('second')];
  const folder = strangersProject(`outbound:\n  api.example: ${first.origin}\n`);
  session = await startDev(folder);
  expect(await ask('https://api.example/')).toBe('200 first');
  writeFileSync(join(folder, 'platform.dev.yaml'), `outbound:\n  api.example: ${second.origin}\n`);
  await expect.poll(() => ask('https://api.example/')).toBe('200 second');
  writeFileSync(join(folder, 'platform.dev.yaml'), `outbound:\n  api.example: { status: 418 }\n`);
  await expect.poll(() => ask('https://api.example/')).toBe('418 ');
  expect(session.lines.some(({ code }) => code === 'settings')).toBe(false);
  first.close();
  second.close();
});

test('publish-check ignores the outbound map', async () => {
  const double = await listen('from the double');
  const folder = strangersProject(`outbound:\n  api.example: ${double.origin}\n`);
  const without = strangersProject('');
  const check = async (cwd: string): Promise<unknown[]> => {
    const { stdout } = await runPlatform(['publish-check', '--json'], { cwd });
    const { checks } = JSON.parse(stdout) as { checks: { id: string; verdict: string }[] };
    return checks.map(({ id, verdict }) => [id, verdict]);
  };
  expect(await check(folder)).toEqual(await check(without));
  expect(double.received).toEqual([]);
  double.close();
});
