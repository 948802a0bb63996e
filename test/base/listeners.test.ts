import { expect, test, vi } from 'vitest';
import { createListeners } from '../../src/base/listeners.js';
import { createEventFeed } from '../../src/emulator/live/event-feed.js';
import { createCell } from '../../src/console/ui/state/observable-cell.js';

async function errorsOfHost(work: () => void): Promise<string[]> {
  const thrown: string[] = [];
  const queue = globalThis.queueMicrotask;
  const spy = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) =>
    queue(() => {
      try {
        task();
      } catch (error) {
        thrown.push((error as Error).message);
      }
    }),
  );
  try {
    work();
    await Promise.resolve();
    await Promise.resolve();
  } finally {
    spy.mockRestore();
  }
  return thrown;
}

const fail = (): void => {
  throw new Error('the listener failed');
};

test('calls the other listeners after one of them throws, and does not throw to the emitter', async () => {
  const { emit, subscribe } = createListeners<number>();
  const heard: number[] = [];
  subscribe(fail);
  const stop = subscribe((event) => heard.push(event));
  expect(
    await errorsOfHost(() => {
      emit(1);
      stop();
      emit(2);
    }),
  ).toEqual(['the listener failed', 'the listener failed']);
  expect(heard).toEqual([1]);
});

test("the event feed and the console's reactive values keep working after a listener throws", async () => {
  const feed = createEventFeed();
  const cell = createCell('before');
  const heard: unknown[] = [];
  feed.subscribe(fail);
  feed.subscribe(({ type }) => heard.push(type));
  cell.subscribe(fail);
  cell.subscribe(() => heard.push(cell.get()));
  const errors = await errorsOfHost(() => {
    feed.emit({ type: 'warning', code: 'store', message: 'Later.' });
    cell.set('after');
  });
  expect(heard).toEqual(['warning', 'after']);
  expect(errors).toHaveLength(2);
});
