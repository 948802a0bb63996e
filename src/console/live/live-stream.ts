import { createCell } from '../parts/cell.js';
import { createStreamReader } from './event-stream.js';
import { send } from './request.js';
import type { DeliveryResource } from './resources.js';
import type { TrafficLine } from './traffic-entry.js';

/** What the platform tells while it happens. */
export type LiveEvent =
  | { type: 'traffic-started' | 'traffic-finished'; entry: TrafficLine }
  | { type: 'log' | 'outbound'; call?: string }
  | { type: 'installation'; installation: string; change: string; site?: string; space?: string }
  | { type: 'block'; block: string; change: string }
  | { type: 'task'; task: string; change: string }
  | { type: 'delivery'; delivery: DeliveryResource }
  | { type: 'endpoint'; endpoint: string; change: string }
  | { type: 'reloaded'; version: number }
  | { type: 'build'; ok: boolean }
  | { type: 'state-loaded'; name: string }
  | { type: 'warning'; code: string; message: string; call?: string }
  /** The stream begins. */
  | { type: 'hello' }
  /** Something was missed: read everything anew. */
  | { type: 'reset' };

export type LiveState = 'connecting' | 'live' | 'lost';

export const liveState = createCell<LiveState>('connecting');

const listeners = new Set<(event: LiveEvent) => void>();

export function onLive(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const firstWaitMs = 250;
const longestWaitMs = 4000;
/** The platform says something at least every 15 seconds. */
const silenceMs = 40_000;

/** Reads the stream as long as the page lives; after a break it goes on where it was. */
export async function followLive(): Promise<never> {
  let seen = '';
  let wait = firstWaitMs;
  for (;;) {
    try {
      await readStream(seen, (message) => {
        wait = firstWaitMs;
        seen = message.id;
        liveState.set('live');
        const event = { type: message.type, ...(JSON.parse(message.data) as object) } as LiveEvent;
        for (const listener of listeners) listener(event);
      });
    } catch {
      // The next line says that the connection is gone, and the loop makes another.
    }
    liveState.set('lost');
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, longestWaitMs);
  }
}

async function readStream(
  seen: string,
  take: (message: { type: string; id: string; data: string }) => void,
): Promise<void> {
  const silent = new AbortController();
  const response = await send('GET', '/stream', {
    headers: { Accept: 'text/event-stream', ...(seen !== '' && { 'Last-Event-ID': seen }) },
    signal: silent.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const messages = createStreamReader();
  for (;;) {
    const timer = setTimeout(() => silent.abort(), silenceMs);
    const piece = await reader?.read();
    clearTimeout(timer);
    if (!piece || piece.done) return;
    for (const message of messages(piece.value)) take(message);
  }
}
