import { createListeners } from '../../base/listeners.js';
import { connection, endSession, sessionEnd, streamSecret } from '../api/session-state.js';
import { openStream } from '../api/fetch-api.js';
import type { LiveEvent as PlatformChange } from '../../contract/routes/live.js';

/** `hello` is the first event in the stream. `reset` means that events were missed and all data must be reloaded. */
export type LiveEvent = PlatformChange | { type: 'hello' | 'reset' };

const events = createListeners<LiveEvent>();

export const onLive = events.subscribe;

const firstWaitMs = 250;
/** If four retries fail (after 250, 500, 1000 and 2000 ms), no process is listening on the loopback address. */
const mostTries = 4;
/** After this much silence, the connection counts as lost. The platform sends data at least every 15 seconds. */
const silenceMs = 40_000;

/** Reads the stream until the session ends. If the connection is lost, reading resumes where it stopped. */
export async function followLive(): Promise<void> {
  let seen = { start: '', number: '' };
  let tries = 0;
  let lostAt: number | undefined;
  for (;;) {
    try {
      await readStream(seen.number, ({ type, id, data }) => {
        const [start = '', number = ''] = id.split('.');
        // The request does not contain the start id, so only this session's platform can send a response that contains it.
        if (seen.start !== '' && start !== seen.start)
          return endSession({ time: lostAt ?? Date.now(), restarted: true });
        seen = { start, number };
        tries = 0;
        lostAt = undefined;
        streamSecret.set(start);
        sessionEnd.set(undefined);
        connection.set('live');
        events.emit({ type, ...(JSON.parse(data) as object) } as LiveEvent);
      });
    } catch {
      // The stream is reopened below.
    }
    if (hasEnded()) return;
    lostAt ??= Date.now();
    if (tries === mostTries) return endSession({ time: lostAt, restarted: false });
    // A running platform never refuses a connection, so the first failed retry is shown as the end at once.
    if (tries > 0) sessionEnd.set({ time: lostAt, restarted: false });
    connection.set('lost');
    await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** tries));
    tries += 1;
  }
}

const hasEnded = (): boolean => connection.get() === 'ended';

async function readStream(after: string, receive: (message: StreamMessage) => void): Promise<void> {
  const silent = new AbortController();
  const headers = { Accept: 'text/event-stream', ...(after !== '' && { 'Last-Event-ID': after }) };
  const stream = await openStream(headers, silent.signal);
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const messages = createStreamReader();
  for (;;) {
    const timer = setTimeout(() => silent.abort(), silenceMs);
    const piece = await reader.read();
    clearTimeout(timer);
    if (piece.done) return;
    for (const message of messages(decoder.decode(piece.value, { stream: true }))) {
      receive(message);
      if (hasEnded()) return silent.abort();
    }
  }
}

interface StreamMessage {
  type: string;
  id: string;
  data: string;
}

/** Splits text into server-sent events. Keeps an incomplete event until the next chunk arrives. */
export function createStreamReader(): (piece: string) => StreamMessage[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => readMessage(block) ?? []);
  };
}

function readMessage(block: string): StreamMessage | undefined {
  const message: StreamMessage = { type: 'message', id: '', data: '' };
  let some = false;
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|id|data): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') message.type = value;
    else if (field === 'id') message.id = value;
    else if (field === 'data') {
      message.data += value;
      some = true;
    }
  }
  return some ? message : undefined;
}
