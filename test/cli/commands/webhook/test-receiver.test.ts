import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import { createWebhookReceiver } from '../../../../src/webhooks/index.js';
import { concludeTest } from '../../../../src/webhooks/receive/test-receiver.js';
import { startOwnReceiver, type OwnReceiverOptions } from '../../../support/own-receiver.js';
import { runCli } from '../../../support/run-cli.js';

const secret = 'whsec_test';

interface Report {
  version: number;
  ok: boolean;
  results: { id: string; got: string; verdict: string; response?: { content: string } }[];
}

const tryOut = (to: string, ...more: string[]) =>
  runCli(['webhook', 'test', '--to', to, '--secret', secret, ...more], { clock: systemClock });

async function listenOn(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function reportOn(options: OwnReceiverOptions): Promise<{ code: number; report: Report }> {
  const { url } = await startOwnReceiver({ secret, ...options });
  const { code, stdout, stderr } = await tryOut(url, '--format', 'json');
  expect(stderr).toBe('');
  return { code, report: JSON.parse(stdout) as Report };
}

const verdicts = ({ results }: Report, verdict: string): string[] =>
  results.filter((result) => result.verdict === verdict).map(({ id }) => id);

const everything = [
  'good',
  'bad-signature',
  'no-signature',
  'altered-body',
  'old',
  'duplicate',
  'out-of-order',
  'unknown-type',
  'large',
  'non-ascii',
  'raw-bytes',
  'get',
];

test('passes every check for a receiver that verifies signatures and rejects old ones', async () => {
  const { code, report } = await reportOn({ tolerance: 300 });
  expect(verdicts(report, 'pass')).toEqual(everything);
  expect([code, report.version, report.ok]).toEqual([0, 1, true]);
});

test.each<[string, OwnReceiverOptions, advice: string[], fail: string[]]>([
  ['accepts signatures of any age, which is allowed', { tolerance: Infinity }, ['old'], []],
  ['checks no signatures', { checks: 'none' }, ['old'], ['bad-signature', 'no-signature', 'altered-body']],
  ['checks a signature only if there is one', { checks: 'present' }, [], ['no-signature']],
  [
    'verifies the signature against the parsed body',
    { signs: (body) => JSON.stringify(JSON.parse(body.toString())) },
    [],
    ['raw-bytes'],
  ],
  ['verifies a body in latin1', { signs: (body) => body.toString('latin1') }, [], ['non-ascii']],
  ['accepts 100 KB', { refuses: ({ body }) => (body.length > 100_000 ? 413 : undefined) }, [], ['large']],
  [
    'rejects an event that it has already received',
    { refuses: ({ eventId }, before) => (before.some((one) => one.eventId === eventId) ? 409 : undefined) },
    [],
    ['duplicate'],
  ],
  [
    'rejects an event older than the last one',
    {
      refuses: ({ header }, before) =>
        header < (before.at(-1)?.header ?? '').slice(0, 12) ? 409 : undefined,
    },
    [],
    ['out-of-order'],
  ],
  [
    'rejects unknown event types',
    { refuses: ({ body }) => (body.includes('"space_content_updated"') ? undefined : 422) },
    ['unknown-type'],
    [],
  ],
  [
    'rejects valid requests',
    { secret: 'another' },
    ['unknown-type'],
    ['good', 'duplicate', 'out-of-order', 'large', 'non-ascii', 'raw-bytes'],
  ],
])('reports which checks fail for a receiver that %s', async (_, options, advice, fail) => {
  const { code, report } = await reportOn({ tolerance: 300, ...options });
  expect(verdicts(report, 'advice')).toEqual(advice);
  expect(verdicts(report, 'fail')).toEqual(fail);
  expect([code, report.ok]).toEqual(fail.length > 0 ? [1, false] : [0, true]);
});

test('reports the response of a receiver that rejects a valid request', async () => {
  const content = '{"error":"Invalid signature"}';
  const { report } = await reportOn({ secret: 'another' });
  const shown = report.results.filter(({ verdict }) => verdict !== 'pass');
  expect(shown.map(({ response }) => response?.content)).toEqual(shown.map(() => content));
  expect(report.results.some(({ verdict, response }) => verdict === 'pass' && response)).toBe(false);
  const { url } = await startOwnReceiver({ secret: 'another' });
  expect((await tryOut(url)).stdout).toMatch(
    /^FAIL {4}a valid signature +401, expected 2xx\n {8}\{"error":"Invalid signature"\}\n/,
  );
});

test.each([
  [404, 'advice', 0],
  [200, 'fail', 1],
  [500, 'fail', 1],
])('gives the right verdict on a receiver that answers GET with %i', async (status, verdict, expected) => {
  const { url } = await startOwnReceiver({ secret, tolerance: 300 });
  const to = await listenOn((request, response) => {
    if (request.method === 'GET') response.writeHead(status).end();
    else {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = { 'X-Platform-Signature': String(request.headers['x-platform-signature'] ?? '') };
        void fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) }).then((answer) =>
          response.writeHead(answer.status).end(),
        );
      });
    }
  });
  const { code, stdout } = await tryOut(to, '--json');
  const { results } = JSON.parse(stdout) as Report;
  expect([results.find(({ id }) => id === 'get')?.verdict, code]).toEqual([verdict, expected]);
});

test('reports a receiver that resets the connection as reachable but failing', async () => {
  const to = await listenOn((request) => request.socket.destroy());
  const { code, stdout } = await tryOut(to, '--json');
  const { results } = JSON.parse(stdout) as Report;
  expect(new Set(results.flatMap(({ got }) => got.split(', ')))).toEqual(new Set(['reset']));
  expect(results.some(({ verdict }) => verdict === 'pass')).toBe(false);
  expect(code).toBe(1);
});

test('passes every check for the built-in receiver', async () => {
  const receiver = createWebhookReceiver({ secret, onEvent: () => {} });
  const to = await listenOn(receiver.node);
  const { code, stdout } = await tryOut(to, '--json');
  expect(verdicts(JSON.parse(stdout) as Report, 'pass')).toEqual(everything);
  expect(code).toBe(0);
  const { stdout: table } = await tryOut(to);
  expect(table).toMatch(/\n\nAll 12 checks passed\.\n$/);
  // The statuses are aligned in one column.
  expect(table.match(/^pass {4}.{44} {2}\d{3}(, \d{3})?$/gm)).toHaveLength(12);
});

test.each([
  [404, 'Every request got 404, so the path in the URL is probably wrong.'],
  [401, 'Every request got 401, so the receiver probably uses another secret, or does not'],
  [308, 'Every request got 308, a redirect. Use the URL that it redirects to.'],
  [500, 'Every request got 500, so the receiver probably fails before it checks the'],
  [200, 'Every request got 200, so the receiver does not check the signature.'],
])('explains what is wrong with a receiver that always responds with %i', async (status, conclusion) => {
  const to = await listenOn((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });
  const { code, stdout } = await tryOut(to);
  expect(code).toBe(1);
  expect(stdout).toContain(`\n\n${conclusion}`);
  expect(JSON.parse((await tryOut(to, '--json')).stdout)).toMatchObject({
    conclusion: expect.stringContaining(`Every request got ${status}`),
  });
});

test('explains why no request reaches a plain HTTP receiver through an HTTPS URL', async () => {
  const to = await listenOn((_, response) => response.end());
  const { code, stdout } = await tryOut(to.replace('http:', 'https:'));
  expect([code, stdout]).toEqual([1, expect.stringContaining('\n\nNo request arrived, because TLS failed.')]);
});

test('explains what is wrong with a receiver that uses a different secret', async () => {
  const { url } = await startOwnReceiver({ secret: 'whsec_other' });
  expect((await tryOut(url)).stdout).toContain('\n\nThe valid signature was rejected.');
});

test.each([
  ['a page', 'GET', 200, /^The valid request got 404, so the path in the URL is probably wrong\.$/],
  ['a large body', '1 MiB', 413, /^The valid request got 404, so the path in the URL is/],
])('explains what is wrong with a receiver that responds differently only to %s', async (...row) => {
  const [, exception, status, conclusion] = row;
  const to = await listenOn((request, response) => {
    const isLarge = Number(request.headers['content-length'] ?? 0) > 1e6;
    const isException = exception === 'GET' ? request.method === 'GET' : isLarge;
    request.resume().on('end', () => response.writeHead(isException ? status : 404).end());
  });
  const { stdout } = await tryOut(to, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ conclusion: expect.stringMatching(conclusion) });
});

test('explains what is wrong with a receiver that never responds', () => {
  const results = everything.map((id) => {
    const got =
      id === 'duplicate' ? 'no response within 10 s, no response within 10 s' : 'no response within 10 s';
    return { id, what: '', expected: '2xx', got, verdict: 'fail' as const };
  });
  expect(concludeTest(results)).toMatch(/^The receiver accepted the connection but never responded\./);
});

test('prints a table of expected responses that fits in 80 columns', async () => {
  const { url } = await startOwnReceiver({ secret, checks: 'none' });
  const { code, stdout } = await tryOut(url);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^FAIL +a signature with one digit changed +200, expected 401$/m);
  expect(stdout).toMatch(/^pass +a valid signature +200$/m);
  expect(lines.at(-1)).toBe('3 of 12 checks failed.');
  expect(code).toBe(1);
});

test.each([
  ['webhook test', 'missing-input', /--to, --secret/, /platform webhook test --to/],
  ['webhook test --to ftp://host/ --secret s', 'bad-url', /"ftp:\/\/host\/"/, /http:\/\//],
  ['webhook test --to receiver --secret s', 'bad-url', /"receiver"/, /http:\/\//],
])('rejects the command "%s"', async (line, errorCode, message, hint) => {
  const { code, stdout } = await runCli([...line.split(' '), '--json'], { clock: systemClock });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    error: { code: errorCode, message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
  });
});

test('prints an error page only once if every response contains the same page', async () => {
  const page = '<html>\n<h1>Internal Server Error</h1>\n</html>';
  const url = await listenOn((request, response) => {
    request.resume().on('end', () => response.writeHead(500).end(page));
  });
  const { code, stdout } = await tryOut(url);
  expect(code).toBe(1);
  expect(stdout.match(/Internal Server Error/g)).toHaveLength(1);
  const cases = stdout.match(/^(FAIL|advice) /gm) ?? [];
  expect(stdout.match(/^ {8}Same response body as above\.$/gm)).toHaveLength(cases.length - 1);
});
