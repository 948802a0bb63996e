import { createTestPlatform, createVirtualClock, hang, withTestPlatform } from 'integration-platform/testing';
import { createIntegration, routePath, type IntegrationScript } from 'integration-platform';
import { expect, onTestFinished, test, vi } from 'vitest';
import { formManifest, installForm } from './form-platform.js';
import { integration } from './integration.js';

/** What is printed from now on. */
const printed = (): string[] => {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => log.mockRestore());
  return lines;
};

test('starts the clock at the current time and requires stubs by default', async () => {
  vi.useFakeTimers({ now: Date.UTC(2031, 1, 2), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const fetching: IntegrationScript = {
    fetch: async () => new Response(await fetch('https://a.example.com').then(() => 'ok', String)),
  };
  const platform = await createTestPlatform({ integration: fetching, manifest: formManifest() });
  expect(platform.clock.now()).toBe(Date.UTC(2031, 1, 2));
  expect(platform.outbound()).toEqual([]);
  await platform.install();
  expect(await (await platform.fetch('/')).text()).toContain('No stub');
  await expect(platform.close()).rejects.toThrow('https://a.example.com');
});

test('starts an OAuth flow without a path at the first OAuth button, and fails if there is none', async () => {
  const paths: string[] = [];
  const noting = createIntegration({
    async fetch(request, { environment }) {
      paths.push(routePath(request, environment));
      return new Response();
    },
  });
  const platform = await installForm({ integration: noting });
  await platform.oauth().catch(() => {});
  await platform.oauth({ path: '/elsewhere' }).catch(() => {});
  expect(paths).toEqual(['/oauth', '/elsewhere']);

  const fields = { name: 'bare', title: 'Bare', description: 'No button.', organization: 'acme' };
  const manifest = { ...fields, visibility: 'private', scopes: [] };
  const bare = await installForm({ integration: noting, manifest });
  await expect(bare.oauth()).rejects.toThrow('The manifest has no button');
});

test('uses the clock passed by the test', async () => {
  const clock = createVirtualClock(Date.UTC(2030, 0, 1));
  const platform = await installForm({ clock });
  expect(platform.clock).toBe(clock);
  await platform.fetch('/later');
  await platform.settled();
  await clock.advance(60_000);
  expect(platform.logs().at(-1)?.text).toBe('task refresh');
});

test('runs a timeout when the clock reaches it', async () => {
  const platform = await installForm();
  platform.stub('https://slow.example.com', hang());
  const response = platform.fetch('/waits');
  await platform.clock.advance(29_999);
  await platform.clock.advance(1);
  expect(await (await response).json()).toBe('TimeoutError');
  expect(platform.clock.waiting().count).toBe(0);
  await platform.close();
});

test('closes the test platform even if a request hangs', async () => {
  const platform = await installForm();
  platform.stub('https://slow.example.com', hang());
  const response = platform.fetch('/waits');
  await platform.clock.advance(1);
  await platform.close();
  expect((await response).status).toBe(200);
  expect(platform.outbound()).toMatchObject([{ status: 0, error: 'The test platform was closed.' }]);
});

test('closes even if a waitUntil promise never settles, and reports the promise', async () => {
  const script = {
    async fetch(_request: Request, _env?: unknown, context?: { waitUntil?(work: Promise<unknown>): void }) {
      context?.waitUntil?.(new Promise(() => {}));
      return new Response();
    },
  };
  const platform = await createTestPlatform({ integration: script, manifest: formManifest() });
  void platform.install();
  await platform.clock.advance(1);
  await expect(platform.close()).rejects.toThrow('was still running a second after the test');
  expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')?.get).toBeUndefined();
});

test('lists rejected background work in the result of its event and in rejections()', async () => {
  const platform = await installForm();
  await platform.fetch('/rejects');
  await platform.settled();
  const result = await platform.trigger({ type: 'space_gitsync_started' });
  expect(result).toMatchObject({ outcome: 'ok', rejections: [new Error('no sync')] });
  expect((await platform.trigger({ type: 'space_view' })).rejections).toEqual([]);
  expect(platform.rejections()).toEqual([{ error: new Error('too late') }, { error: new Error('no sync') }]);
});

test('accepts secrets by name or as the environment variables in the manifest', async () => {
  const manifest = formManifest();
  for (const options of [
    { secrets: { KEY: 'canary-key' } },
    { env: { FORM_KEY: 'canary-key', OTHER: 'x' } },
  ]) {
    const platform = await installForm({ manifest, ...options });
    expect(platform.environment().secrets).toEqual({ KEY: 'canary-key' });
  }
});

test("prints the script's logs only if the test fails", async () => {
  const lines = printed();
  const around = { integration, manifest: formManifest() };
  await withTestPlatform(around, (platform) => platform.install());
  expect(lines.length).toBe(0);

  const failing = withTestPlatform(around, async (platform) => {
    await platform.install();
    throw new Error('found by the test');
  });
  await expect(failing).rejects.toThrow('found by the test');
  expect(lines[0]).toBe('The script of form logged:\n  info  setup pending');
});

test.each([
  [{ task: { result: { state: 'fail' } } }, 1],
  [{ task: { result: { state: 'pass' } } }, 0],
  [{ passed: false }, 1],
  [{ passed: true }, 0],
  [{}, 0],
])('with %j, prints %i log lines when the platform closes', async (context, times) => {
  const lines = printed();
  const platform = await installForm();
  await platform.close(context);
  expect(lines.length).toBe(times);
});

test('fails the test for a request without a stub, even if the script catches the error', async () => {
  const lines = printed();
  const run = withTestPlatform({ integration, manifest: formManifest() }, async (platform) => {
    await platform.install();
    expect((await platform.fetch('/outside')).status).toBe(500);
  });
  await expect(run).rejects.toThrow('No stub matches GET https://api.example.com/v1/things?page=2.');
  expect(lines[0]).toContain('setup pending');
});

test("shows a test's own error instead of the problems found on close", async () => {
  const lines = printed();
  const run = withTestPlatform({ integration, manifest: formManifest() }, async (platform) => {
    await platform.install();
    await platform.fetch('/outside');
    throw new Error('found by the test');
  });
  await expect(run).rejects.toThrow('found by the test');
  expect(lines[1]).toContain('No stub matches');
});
