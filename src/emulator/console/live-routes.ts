import type { PlatformBase } from '../state/platform-base.js';
import type { Handlers } from '../../contract/console-api.js';
import { HttpError } from '../http/http-error.js';
import { newSecret } from '../state/new-id.js';
import { eventView } from '../calls/call-views.js';

const heartbeat = 15_000;
const maxReaders = 64;

export const newStart = (): string => newSecret('start');

const tooMany = `${maxReaders} consoles and other readers are already connected to the platform. Close some of them and try again.`;

/**
 * Streams all events as server-sent events. Clients that reconnect with `Last-Event-ID` receive the events that they missed.
 * If those events are no longer stored, they receive `reset` and must reload everything.
 */
export function liveRoutes(
  deps: Pick<PlatformBase, 'feed' | 'timers'> & {
    secrets: Pick<PlatformBase['secrets'], 'maskValue'>;
    closing: AbortSignal;
    view?: typeof eventView;
    /** Part of each event's id. Readers never send it, so it proves that they are connected to the same platform as before. */
    start?: string;
  },
): Handlers<'GET /stream'> {
  const { feed, timers, secrets, closing, view = eventView, start = newStart() } = deps;
  let readers = 0;
  /**
   * Returns the number in an event id. The id may be just the number, without a start id. Such clients compare the start id
   * themselves.
   */
  const numberIn = (id: string | null): number | undefined => {
    const [, of = start, number] = /^(?:(.*)\.)?(\d{1,15})$/.exec(id ?? '') ?? [];
    return number !== undefined && of === start ? Number(number) : undefined;
  };

  const stream = (lastEventId: string | null): ReadableStream<Uint8Array> => {
    const gone = new AbortController();
    readers += 1;
    gone.signal.addEventListener('abort', () => (readers -= 1), { once: true });
    const signal = AbortSignal.any([gone.signal, closing]);
    const encode = (text: string): Uint8Array => Buffer.from(text);
    const message = (type: string, number: number, data: object): string =>
      `event: ${type}\nid: ${start}.${number}\ndata: ${JSON.stringify(secrets.maskValue(data))}\n\n`;
    const known = numberIn(lastEventId);
    let at = known ?? feed.last();
    let greeting: string | undefined = message(
      lastEventId !== null && (known === undefined || !feed.since(known)) ? 'reset' : 'hello',
      at,
      {},
    );
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (greeting !== undefined) {
            controller.enqueue(encode(greeting));
            greeting = undefined;
            return;
          }
          if (feed.last() === at) await nextOrBeat(signal);
          if (signal.aborted) {
            gone.abort();
            controller.close();
            return;
          }
          const events = feed.since(at);
          at = feed.last();
          if (!events) controller.enqueue(encode(message('reset', at, {})));
          else if (events.length === 0) controller.enqueue(encode(': still here\n\n'));
          else {
            const messages = events.map(({ number, event }) => message(event.type, number, view(event)));
            controller.enqueue(encode(messages.join('')));
          }
        },
        cancel: () => gone.abort(),
      },
      { highWaterMark: 0 },
    );
  };

  const nextOrBeat = async (signal: AbortSignal): Promise<void> => {
    // Uses one controller for the whole stream, because each `AbortSignal.any` call would add an entry to a long-lived
    // signal.
    const done = new AbortController();
    const end = (): void => done.abort();
    if (signal.aborted) return;
    signal.addEventListener('abort', end, { once: true });
    await Promise.race([feed.next(done.signal), timers.sleep(heartbeat, done.signal).catch(() => {})]);
    signal.removeEventListener('abort', end);
    done.abort();
  };

  return {
    'GET /stream'(_, request) {
      if (readers >= maxReaders) throw new HttpError(503, 'too-many-streams', tooMany);
      return stream(request.headers.get('last-event-id'));
    },
  };
}
