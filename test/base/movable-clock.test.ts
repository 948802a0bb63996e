import { expect, it } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { createMovableClock } from '../../src/base/movable-clock.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("follows the machine's time, also after it was set", async () => {
  const machine = createVirtualClock(1000);
  const clock = createMovableClock(machine);
  const woken: string[] = [];
  void clock.sleep(50).then(() => woken.push('sleep'));
  void clock.sleepUntil(5000).then(() => woken.push('until'));
  await machine.advance(50);
  expect([clock.now(), woken]).toEqual([1050, ['sleep']]);
  clock.set(3940);
  expect([clock.now(), clock.ahead(), clock.monotonic()]).toEqual([4990, 3940, 1050]);
  await machine.advance(10);
  expect(woken).toEqual(['sleep', 'until']);
  clock.set(-1000);
  expect([clock.now(), clock.monotonic()]).toEqual([60, 1060]);
});

it('wakes those who are due in order while time is held, and at their time', async () => {
  const machine = createVirtualClock(1_764_000_000_000.25);
  const clock = createMovableClock(machine);
  const woken: [name: string, at: number][] = [];
  const note = (name: string) => (): void => void woken.push([name, clock.now() - Math.round(machine.now())]);
  void clock.sleepUntil(clock.now() + 86_400_000).then(note('day'));
  void clock.sleep(3_600_000).then(note('hour'));
  clock.hold();
  for (let next = clock.next(); next !== undefined; next = clock.next()) {
    clock.pass(next);
    await turn();
  }
  expect(woken).toEqual([
    ['hour', 3_600_000],
    ['day', 86_400_000],
  ]);
  await machine.advance(5000);
  expect(clock.ahead()).toBe(86_400_000 - 5000);
  clock.release();
  await machine.advance(5000);
  expect(clock.ahead()).toBe(86_400_000 - 5000);
});

it('rejects an aborted sleep, and does not wait for it', async () => {
  const clock = createMovableClock(createVirtualClock());
  const over = new AbortController();
  const slept = clock.sleep(1000, over.signal);
  over.abort(new Error('over'));
  await expect(slept).rejects.toThrow('over');
  expect(clock.next()).toBeUndefined();
  await expect(clock.sleepUntil(5, over.signal)).rejects.toThrow('over');
});

it('is not ahead before it was moved, even if a millisecond passes while it is read', () => {
  let time = 0;
  const clock = createMovableClock({ ...createVirtualClock(), now: () => (time += 1) });
  expect(clock.ahead()).toBe(0);
  clock.set(5000);
  expect(clock.ahead()).toBe(5000);
});
