import { createTestPlatform, type TestPlatform } from 'integration-platform/testing';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { formManifest } from './form-platform.js';

interface Interceptor {
  seen: string[];
  listen(): void;
  close(): void;
}

type Handle = (request: Request) => Response | undefined;

const intercept =
  (handle: Handle, seen: string[], pure: typeof fetch): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    seen.push(request.url);
    return handle(request) ?? pure(input, init);
  };

/** Assigns to `globalThis.fetch`, and assigns what was there in the end. */
function assigning(handle: Handle): Interceptor {
  const seen: string[] = [];
  let pure: typeof fetch;
  return {
    seen,
    listen() {
      pure = globalThis.fetch;
      globalThis.fetch = intercept(handle, seen, pure);
    },
    close() {
      globalThis.fetch = pure;
    },
  };
}

/** Defines the property anew, and defines it as it was in the end, as Mock Service Worker 2 does. */
function defining(handle: Handle): Interceptor {
  const seen: string[] = [];
  let before: PropertyDescriptor = {};
  return {
    seen,
    listen() {
      before = Object.getOwnPropertyDescriptor(globalThis, 'fetch') ?? {};
      const value = intercept(handle, seen, globalThis.fetch);
      Object.defineProperty(globalThis, 'fetch', { value, enumerable: true, configurable: true });
    },
    close: () => void Object.defineProperty(globalThis, 'fetch', before),
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

const handlers: Handle = (request) =>
  request.url === 'https://a.example.com/' ? new Response('from a handler') : undefined;

const real = globalThis.fetch;
afterEach(() => {
  Object.defineProperty(globalThis, 'fetch', {
    value: real,
    writable: true,
    enumerable: true,
    configurable: true,
  });
});

const orders: [string, first: boolean, endsFirst: boolean][] = [
  ['begins before the platform and ends after it', true, false],
  ['begins before the platform and ends before it', true, true],
  ['begins after the platform and ends before it', false, true],
  ['begins after the platform and ends after it', false, false],
];

test.each(
  [assigning, defining].flatMap((create) => orders.map((order) => [create.name, ...order, create] as const)),
)(
  'works with an interceptor (%s) that %s, and restores everything',
  async (_, __, first, endsFirst, create) => {
    const interceptor = create(handlers);
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

    if (endsFirst) {
      interceptor.close();
      expect(await (await platform.fetch('/')).text()).toBe('from a stub');
    }
    await platform.close();
    if (!endsFirst) interceptor.close();
    // An interceptor that begins after us has kept ours, which only passes on by now.
    if (first || endsFirst) expect(globalThis.fetch).toBe(real);
    expect(interceptor.seen).toHaveLength(3);
  },
);

test('other interceptors see neither requests to the platform nor rejected requests', async () => {
  const interceptor = assigning(() => new Response('wrong'));
  interceptor.listen();
  const platform = await start('refuse');
  expect(await (await platform.fetch('/')).text()).toContain('No stub matches GET https://a.example.com/');
  expect(interceptor.seen).toEqual([]);
  await platform.close();
  interceptor.close();
});
