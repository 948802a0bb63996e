import { createTestPlatform, hang, type StubResponse, type TestPlatform } from 'integration-platform/testing';
import { expect, onTestFinished, test } from 'vitest';
import { formManifest } from './form-platform.js';

type Asked = [address: string, init?: RequestInit];

/** A platform whose script fetches an address for the test and responds with what it got. */
async function startFetching(
  unstubbed?: 'fail' | 'refuse' | 'pass',
): Promise<{ platform: TestPlatform; ask(...asked: Asked): Promise<string> }> {
  let next: Asked = [''];
  const integration = {
    fetch: async () => {
      try {
        const response = await fetch(...next);
        return new Response(`${response.status} ${await response.text()}`);
      } catch (error) {
        return new Response(`failed: ${(error as Error).message}`);
      }
    },
  };
  const platform = await createTestPlatform({
    integration,
    manifest: formManifest(),
    ...(unstubbed && { unstubbed }),
  });
  await platform.install();
  const ask = async (...asked: Asked): Promise<string> => {
    next = asked;
    return (await platform.fetch('/')).text();
  };
  return { platform, ask };
}

const says = (text: string): StubResponse => new Response(text);

test.each<[request: Asked, stubs: string[], expected: string]>([
  [['https://a.example.com/v1/things'], ['https://a.example.com'], '200 0'],
  [['https://a.example.com/v1/things'], ['https://a.example.com/', 'https://a.example.com/v1/'], '200 1'],
  [['https://a.example.com/v1/things'], ['https://a.example.com/v1', 'https://a.example.com'], '200 0'],
  [['https://a.example.com/v12'], ['https://a.example.com', 'https://a.example.com/v1'], '200 0'],
  [['https://a.example.com/'], ['https://a.example.com', 'https://a.example.com'], '200 1'],
  [['https://a.example.com/'], ['https://*.example.com', 'https://a.example.com'], '200 1'],
  [['https://x.a.example.com/p'], ['https://*.example.com'], '200 0'],
  [['https://a.example.com/users/7/posts'], ['https://a.example.com/users/*/posts'], '200 0'],
  [
    ['https://a.example.com/', { method: 'POST' }],
    ['https://a.example.com', 'POST https://a.example.com'],
    '200 1',
  ],
  [['https://a.example.com/'], ['https://a.example.com', 'POST https://a.example.com'], '200 0'],
  [['https://a.example.com/?page=2&x=1'], ['https://a.example.com', 'https://a.example.com?page=2'], '200 1'],
  [['https://a.example.com/?page=1'], ['https://a.example.com', 'https://a.example.com?page=2'], '200 0'],
])('responds to %j with the most specific of the stubs %j', async ([...request], stubs, expected) => {
  const { platform, ask } = await startFetching();
  for (const [index, stub] of stubs.entries()) platform.stub(stub, says(String(index)));
  expect(await ask(...request)).toBe(expected);
  await platform.close();
});

test.each([
  'https://b.example.com',
  'https://a.example.com/v2',
  'DELETE https://a.example.com',
  'https://a.example.com?q=1',
])('fails the request and the test if the request does not match the stub for %s', async (stub) => {
  const { platform, ask } = await startFetching();
  platform.stub(stub, says('never'));
  expect(await ask('https://a.example.com/v1')).toContain(
    'failed: No stub matches GET https://a.example.com/v1.',
  );
  await expect(platform.close()).rejects.toThrow(
    "No stub matches GET https://a.example.com/v1. Add one: platform.stub('https://a.example.com', () => Response.json({})).",
  );
});

test('lets a test choose what happens to a request without a stub', async () => {
  const refuse = await startFetching('refuse');
  expect(await refuse.ask('https://a.example.com')).toContain('failed: No stub');
  await refuse.platform.close();

  const outer = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = outer));
  globalThis.fetch = async (input) => new Response(`outside: ${(input as Request).url}`);
  const pass = await startFetching('pass');
  expect(await pass.ask('https://a.example.com/x')).toBe('200 outside: https://a.example.com/x');
  await pass.platform.close();
});

test('returns a stub\'s responses in order, then repeats the last one unless "once" is set', async () => {
  const { platform, ask } = await startFetching();
  const three = async () => [
    await ask('https://a.example.com'),
    await ask('https://a.example.com'),
    await ask('https://a.example.com'),
  ];
  platform.stub('https://a.example.com', [says('one'), () => new Response('two', { status: 201 })]);
  expect(await three()).toEqual(['200 one', '201 two', '201 two']);
  platform.stub('https://a.example.com', [says('first'), says('second')], { once: true });
  expect(await three()).toEqual(['200 first', '200 second', '201 two']);
  await platform.close();
});

test('accepts the same Response in two stubs and for several requests', async () => {
  const { platform, ask } = await startFetching();
  const same = new Response('same');
  platform.stub('https://a.example.com', same);
  platform.stub('https://b.example.com', () => same);
  expect(await ask('https://a.example.com')).toBe('200 same');
  expect(await ask('https://a.example.com')).toBe('200 same');
  expect(await ask('https://b.example.com')).toBe('200 same');
  await platform.close();
});

test('reports to the script and to the test that a stub has no response', async () => {
  const { platform, ask } = await startFetching();
  const nothing = (() => undefined) as unknown as StubResponse;
  platform.stub('https://a.example.com', nothing);
  const message =
    'The stub for https://a.example.com returned a value of type undefined instead of a Response for GET https://a.example.com/.';
  expect(await ask('https://a.example.com')).toBe(`failed: ${message}`);
  await expect(platform.close()).rejects.toThrow(message);
});

test('simulates a network failure with a stub', async () => {
  const { platform, ask } = await startFetching();
  platform.stub('https://a.example.com', () => {
    throw new TypeError('connection refused');
  });
  expect(await ask('https://a.example.com')).toBe('failed: connection refused');
  await platform.close();
});

test('rejects an invalid URL for a stub', async () => {
  const { platform } = await startFetching();
  for (const address of ['', 'example.com', 'post https://a.example.com', 'ftp://a.example.com']) {
    expect(() => platform.stub(address, says(''))).toThrow(`"${address}" is not a URL that can be stubbed.`);
  }
  expect(() => platform.stub('https://a.example.com', [])).toThrow('has no response');
  await platform.close();
});

test('ends a request to a hanging stub when the request is aborted', async () => {
  const { platform, ask } = await startFetching();
  platform.stub('https://a.example.com', hang());
  const abort = new AbortController();
  const asked = ask('https://a.example.com', { signal: abort.signal });
  await platform.clock.advance(1);
  abort.abort(new Error('not any longer'));
  expect(await asked).toBe('failed: not any longer');
  expect(await ask('https://a.example.com', { signal: AbortSignal.abort(new Error('never')) })).toBe(
    'failed: never',
  );
  await platform.close();
});

test('lists the method, URL, headers and body of each outbound request', async () => {
  const { platform, ask } = await startFetching('refuse');
  platform.stub(
    'https://a.example.com',
    async (request) => new Response(await request.text(), { status: 202 }),
  );
  const headers = { Authorization: 'Bearer canary-key', 'Content-Type': 'application/json' };
  expect(await ask('https://a.example.com/x', { method: 'PUT', headers, body: '{"a":"ü"}' })).toBe(
    '202 {"a":"ü"}',
  );
  await ask('https://b.example.com');
  expect(platform.outbound()).toEqual([
    {
      method: 'PUT',
      url: 'https://a.example.com/x',
      headers: { authorization: 'Bearer canary-key', 'content-type': 'application/json' },
      body: '{"a":"ü"}',
      status: 202,
      time: platform.clock.now(),
    },
    {
      method: 'GET',
      url: 'https://b.example.com/',
      headers: {},
      body: '',
      status: 0,
      error: expect.stringContaining('No stub matches'),
      time: platform.clock.now(),
    },
  ]);
  await platform.close();
});

test('passes the bytes of the request to a stub unchanged', async () => {
  const { platform, ask } = await startFetching();
  platform.stub('https://a.example.com', async (request) =>
    Response.json([...new Uint8Array(await request.arrayBuffer())]),
  );
  expect(await ask('https://a.example.com', { method: 'POST', body: new Uint8Array([0, 255, 13, 10]) })).toBe(
    '200 [0,255,13,10]',
  );
  await platform.close();
});
