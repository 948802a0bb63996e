import { expect, it } from 'vitest';
import { createSample } from '../emulator-under-test.js';

const fired = async (fetch: () => Promise<Response>) => {
  const { emulator, store } = createSample({ fetch });
  await emulator.install();
  const { fired } = await emulator.trigger({ type: 'space_view' });
  return { fired, entry: store.callLog.list().at(-1)?.call };
};

it.each([
  [200, 'ok', undefined],
  [204, 'ok', undefined],
  [406, 'no-handler', undefined],
  [400, 'failed', 'wrong'],
  [500, 'failed', 'wrong'],
])('records the status %i as the outcome %s', async (status, outcome, error) => {
  const body = status === 204 ? null : JSON.stringify({ error: 'wrong' });
  const { fired: result, entry } = await fired(async () => new Response(body, { status }));
  expect(result).toMatchObject({ outcome, status });
  expect(entry).toMatchObject({ outcome, source: 'event', response: { status } });
  expect(entry?.error).toBe(error);
});

it('reads a response to an event only up to a limit', async () => {
  const mebibyte = new Uint8Array(1024 * 1024);
  let read = 0;
  const endless = async (): Promise<Response> =>
    new Response(
      new ReadableStream({
        pull(controller) {
          read += 1;
          controller.enqueue(mebibyte);
        },
      }),
    );
  const { fired: result } = await fired(endless);
  expect(result.outcome === 'withheld' ? 0 : result.body.length).toBe(4 * 1024 * 1024);
  expect(read).toBeLessThan(100);
});

it('fails the call if the response ends early', async () => {
  const cut = async (): Promise<Response> =>
    new Response(
      new ReadableStream({
        pull(controller) {
          controller.error(new Error('gone'));
        },
      }),
    );
  const { entry } = await fired(cut);
  expect(entry).toMatchObject({ outcome: 'failed', error: 'gone' });
});
