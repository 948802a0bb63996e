import { expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/base/clock.js';
import { createMovableClock } from '../../../src/base/movable-clock.js';
import { createClockMoves } from '../../../src/emulator/time/move-clock.js';
import { createEventFeed } from '../../../src/emulator/live/event-feed.js';

type Deps = Parameters<typeof createClockMoves>[0];

it('counts calls from zero after the clock was set back', async () => {
  const machine = createVirtualClock();
  const clock = createMovableClock(machine);
  const feed = createEventFeed();
  const call = { id: 'call_1', source: 'task', outcome: 'ok' };
  const moves = createClockMoves({
    clock,
    movable: clock,
    timers: machine,
    feed,
    registry: { record: () => ({}), update() {} } as unknown as Deps['registry'],
    host: {},
    background: { run() {}, settled: async () => undefined },
    tasks: { all: () => [] },
    tokens: { issued: () => [] },
    webhooks: { use: async () => undefined as never, attemptsOf: async () => new Map() },
  });
  for (let round = 0; round < 3; round += 1) {
    await moves.move(0);
    void clock.sleepUntil(3_600_000).then(() => {
      for (let n = 0; n < 60; n += 1) feed.emit({ type: 'call-finished', call } as never);
    });
    const { happened, ...moved } = await moves.move(3_600_000);
    expect([happened.length, moved]).toMatchObject([60, { done: true, ahead: 3_600_000 }]);
    expect(moved.stopped).toBeUndefined();
  }
});
