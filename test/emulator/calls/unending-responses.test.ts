import { expect, it } from 'vitest';
import { parseOptions } from '../../../src/emulator/index.js';
import { configured } from '../http/controlled.js';
import { systemClock } from '../../../src/base/clock.js';
import { startSample } from '../emulator-under-test.js';
import { processorMs } from '../../support/processor-time.js';

/** Counts what was read, and notes that the rest was cancelled. */
const endless = (size: number) => {
  const seen = { pulls: 0, cancelled: 0 };
  const response = (): Response =>
    new Response(
      new ReadableStream({
        pull(controller) {
          seen.pulls += 1;
          if (size > 0) controller.enqueue(new Uint8Array(size));
          else return new Promise(() => {});
        },
        cancel: () => void (seen.cancelled += 1),
      }),
    );
  return { seen, response };
};

const started = async (response: () => Response) => {
  let whole = true;
  const sample = await startSample(
    { fetch: async () => (whole ? new Response('[]') : response()) },
    { integration: configured },
  );
  await (await sample.get('/v1/integrations/sample/installations/installation_1/x')).text();
  const [line] = (await sample.control<{ id: string }[]>('GET', '/calls?type=fetch')).body;
  whole = false;
  return { ...sample, id: line?.id ?? '' };
};

it.each([
  ['POST', (id: string) => `/calls/${id}/replay`, 'cut-short', /larger than 16.0 MiB/],
  ['GET', () => '/options?property=team', 'no-options', /larger than 4.0 MiB/],
])('reads an endless response only up to a size limit: %s %s', async (method, path, code, error) => {
  const { seen, response } = endless(1024 * 1024);
  const { control, id } = await started(response);
  expect(await control(method, path(id))).toMatchObject({
    status: 502,
    body: { code, error: expect.stringMatching(error) },
  });
  expect(seen.pulls).toBeLessThan(40);
  expect(seen.cancelled).toBe(1);
});

it.each([
  ['POST', (id: string) => `/calls/${id}/replay`, 'cut-short'],
  ['GET', () => '/options?property=team', 'no-options'],
])("reads an endless response only until the call's time limit: %s %s", async (method, path, code) => {
  const { seen, response } = endless(0);
  const { control, clock, id } = await started(response);
  const result = control(method, path(id));
  await expect.poll(() => seen.pulls).toBe(1);
  await clock.advance(30_000);
  expect(await result).toMatchObject({
    status: 502,
    body: { code, error: expect.stringContaining("didn't finish its response within 30 s") },
  });
  expect(seen.cancelled).toBe(1);
});

it("ends an endless response at its time limit even if the platform's clock is stopped", async () => {
  const { seen, response } = endless(0);
  await startSample(
    { fetch: async () => response() },
    { integration: configured, timers: systemClock, limits: { timeMs: 20 } },
  );
  expect(seen.pulls).toBeGreaterThan(0);
  expect(seen.cancelled).toBe(seen.pulls);
});

it('stops reading an endless response after the client has disconnected', async () => {
  const { seen, response } = endless(0);
  const { emulator, id } = await started(response);
  const client = new AbortController();
  const replayed = emulator.replay(id, client.signal);
  await expect.poll(() => seen.pulls).toBe(1);
  client.abort();
  await expect(replayed).rejects.toThrow('The client closed the connection.');
  expect(seen.cancelled).toBe(1);
});

it('parses a long list of options quickly, and drops duplicates', () => {
  const list = Array.from({ length: 100_000 }, (_, at) => ({ id: `${at % 99_999}`, label: `Option ${at}` }));
  let options: ReturnType<typeof parseOptions>;
  expect(processorMs(() => (options = parseOptions(JSON.stringify(list))))).toBeLessThan(2000);
  expect(options).toHaveLength(99_999);
  expect(options?.[0]).toEqual({ id: '0', label: 'Option 0' });
});
