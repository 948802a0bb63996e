import type { Clock } from '../../src/base/clock.js';
import type { AttemptResult } from '../../src/webhooks/model/delivery.js';
import type { Row } from './endpoints.js';

export interface Requests {
  make(row: Row): Promise<AttemptResult>;
  count(): number;
  /** Cuts off what is open in this lane. */
  cutOff(lane: number): void;
  /** The endpoints see the connections of a dead worker close. */
  disconnect(): void;
}

const timeoutMs = 10_000;

/** Requests of one worker to simulated endpoints. */
export function createRequests(options: {
  clock: Clock;
  random: () => number;
  onSent(row: Row): void;
}): Requests {
  const { clock, random, onSent } = options;
  const open = new Map<Row, AbortController>();
  let count = 0;

  return {
    count: () => count,
    async make(row) {
      const { endpoint } = row;
      const { behaviour, responseMs } = endpoint;
      const cut = new AbortController();
      count += 1;
      onSent(row);
      endpoint.open += 1;
      endpoint.mostOpen = Math.max(endpoint.mostOpen, endpoint.open);
      open.set(row, cut);
      const ms = behaviour === 'hanging' ? timeoutMs : responseMs * (0.5 + random());
      const whole = await clock.sleep(ms, cut.signal).then(
        () => true,
        () => false,
      );
      endpoint.open -= 1;
      open.delete(row);
      if (!whole) return { kind: 'interrupted' };
      if (behaviour === 'hanging') return { kind: 'error', error: 'timeout', message: '' };
      return { kind: 'answer', status: behaviour === 'failing' ? 503 : 200, body: new Uint8Array() };
    },
    cutOff(lane) {
      for (const [row, cut] of open) if (row.endpoint.lane === lane) cut.abort('cut off');
    },
    disconnect() {
      for (const { endpoint } of open.keys()) endpoint.open -= 1;
    },
  };
}
