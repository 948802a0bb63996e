import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { formManifest } from './form-platform.js';

/** Replaces `globalThis.fetch` as Mock Service Worker does: keeps what is there, and puts it back. */
function createInterceptor(handle: (request: Request) => Response | undefined): {
  seen: string[];
  listen(): void;
  close(): void;
} {
  const seen: string[] = [];
  const mark = Symbol.for('is patched');
  let pure: typeof fetch;
  return {
    seen,
    listen() {
      pure = globalThis.fetch;
      if (Reflect.get(pure, mark) === true) throw new Error('patched twice');
      globalThis.fetch = async (input, init) => {
        const request = new Request(input, init);
        seen.push(request.url);
        return handle(request) ?? pure(input, init);
      };
      Object.defineProperty(globalThis.fetch, mark, { value: true, configurable: true });
    },
    close() {
      Object.defineProperty(globalThis.fetch, mark, { value: undefined });
      globalThis.fetch = pure;
    },
  };
}

const integration = {
  fetch: async () => {
    const response = await fetch('https://a.example.com/').catch(
      (error: Error) => new Response(error.message),
    );
    return new Response(await response.text());
  },
};

const start = async (unstubbed: 'pass' | 'refuse' = 'pass'): Promise<TestPlatform> => {
  const platform = await createTestPlatform({ integration, manifest: formManifest(), unstubbed });
  onTestFinished(() => platform.close());
  await platform.install();
  return platform;
};

const handlers = (request: Request): Response | undefined =>
  request.url === 'https://a.example.com/' ? new Response('from a handler') : undefined;

const real = globalThis.fetch;
afterEach(() => void (globalThis.fetch = real));

test.each<[string, boolean, boolean]>([
  ['begins before the platform and ends after it', true, false],
  ['begins before the platform and ends before it', true, true],
  ['begins after the platform and ends before it', false, true],
  ['begins after the platform and ends after it', false, false],
])('another interceptor of fetch that %s works, and all is put back', async (_, first, endsFirst) => {
  const interceptor = createInterceptor(handlers);
  if (first) interceptor.listen();
  const platform = await start();
  if (!first) interceptor.listen();
  interceptor.seen.length = 0;

  expect(await (await platform.fetch('/')).text()).toBe('from a handler');
  expect(await (await fetch('https://a.example.com/')).text()).toBe('from a handler');
  platform.stub('https://a.example.com', () => new Response('from a stub'));
  expect(await (await platform.fetch('/')).text()).toBe('from a stub');
  expect(await (await fetch('https://a.example.com/')).text()).toBe('from a handler');
  expect(interceptor.seen).toEqual(Array(3).fill('https://a.example.com/'));

  if (endsFirst) interceptor.close();
  await platform.close();
  if (!endsFirst) interceptor.close();
  // An interceptor that begins after us has kept ours, which only passes on by now.
  if (first || endsFirst) expect(globalThis.fetch).toBe(real);
  expect(interceptor.seen).toHaveLength(3);
});

test('what the script asks of the platform, and what is refused, is not seen by others', async () => {
  const interceptor = createInterceptor(() => new Response('wrong'));
  interceptor.listen();
  const platform = await start('refuse');
  expect(await (await platform.fetch('/')).text()).toContain(
    'No stub responds to GET https://a.example.com/',
  );
  expect(interceptor.seen).toEqual([]);
  await platform.close();
  interceptor.close();
});
