import { BLOCKED } from '../../protocol/outbound-map.js';
import { currentRun, type CallRun } from './call-run.js';
import { bodyOf, bytesOf, findAnswer } from './find-answer.js';
import type { ReplayAnswer, ReplayRequest, SentRequest } from './replay-types.js';

/** Saved before a script can replace these functions. */
const { Request, Response, Headers, ReadableStream, Error, Promise } = globalThis;

const MOST_REDIRECTS = 20;
/** A script that sends this many more requests than were recorded is assumed to be in an endless loop. */
const MOST_ADDITIONAL = 1000;

/** A `fetch` that returns responses from the recording of the current call and never uses the network. */
export function createReplayFetch(): typeof fetch {
  return async (input, init) => {
    const run = currentRun();
    const request = new Request(input, init);
    const { stack = '' } = new Error();
    // The call has ended, so nothing is waiting for this request anymore.
    if (!run || run.ended) return new Promise<never>(() => {});
    if (run.outcome.outbound.length >= run.call.outbound.length + MOST_ADDITIONAL) {
      run.outcome.failure ??= `It sent ${MOST_ADDITIONAL.toLocaleString('en')} more requests than recorded.`;
      return new Promise<never>(() => {});
    }
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    let [{ method, url }, body] = [request, undefined as Uint8Array | undefined];
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const sent: SentRequest = {
        method,
        url,
        headers: [...request.headers],
        at: run.now - run.call.now,
        match: 'none',
        limited: signal !== undefined && signal !== null,
        read: false,
        stack,
      };
      run.outcome.outbound.push(sent);
      run.activity += 1;
      signal?.throwIfAborted();
      if (redirects === 0) body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
      run.activity += 1;
      if (body) sent.body = bodyOf(body);
      const answer = await receive(run, sent, signal ?? undefined);
      const target = redirectOf(answer, url);
      if (target === undefined || request.redirect !== 'follow')
        return toResponse(run, sent, answer, { redirected: redirects > 0, signal: signal ?? undefined });
      url = target;
      if (answer.status === 303 || (method === 'POST' && answer.status < 303))
        [method, body] = ['GET', undefined];
    }
    throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') });
  };
}

type Answered = Extract<ReplayAnswer, { status: number }>;

/** Waits for as long as the recorded response took. Rejects with an error like the one that `fetch` throws. */
function receive(run: CallRun, sent: SentRequest, signal: AbortSignal | undefined): Promise<Answered> {
  const used = new Set(
    run.outcome.outbound.flatMap((other) => (other === sent ? [] : (other.recorded ?? []))),
  );
  const found = findAnswer(run.call.outbound, sent, used, run.call.draft);
  sent.match = found.match;
  if (found.recorded !== undefined) sent.recorded = found.recorded;
  const { answer, ms }: Pick<ReplayRequest, 'answer' | 'ms'> = run.call.outbound[found.recorded ?? -1] ?? {
    answer: { error: 'The recording has no response to this request.', code: 'ENETUNREACH' },
    ms: 0,
  };
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      signal?.removeEventListener('abort', abort);
      sent.answeredAt = run.now - run.call.now;
    };
    const abort = (): void => {
      cancel();
      settle();
      reject(signal?.reason);
    };
    const cancel = run.schedule(
      'hangs' in answer ? Infinity : sent.at + ms - (run.now - run.call.now),
      () => {
        settle();
        if ('status' in answer) resolve(answer);
        else if ('error' in answer) reject(failed(answer));
      },
    );
    if ('hangs' in answer) cancel();
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
}

function failed(
  { error, code }: Extract<ReplayAnswer, { error: string }>,
  message = error.startsWith(BLOCKED) ? error : 'fetch failed',
): TypeError {
  const cause = Object.assign(new Error(error), code !== undefined && { code });
  return new TypeError(message, { cause });
}

const redirects = new Set([301, 302, 303, 307, 308]);

function redirectOf({ status, headers = [] }: Answered, from: string): string | undefined {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return redirects.has(status) && location !== undefined ? new URL(location, from).href : undefined;
}

const bodiless = new Set([204, 205, 304]);

function toResponse(
  run: CallRun,
  sent: SentRequest,
  answer: Answered,
  { redirected, signal }: { redirected: boolean; signal: AbortSignal | undefined },
): Response {
  const { status, statusText, headers = [], body, url = sent.url, breaks } = answer;
  const bytes = bytesOf(body);
  const stream = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      sent.read = true;
      run.activity += 1;
      if (breaks) return controller.error(await endOf(breaks, signal));
      if (bytes.length > 0) controller.enqueue(bytes.slice());
      controller.close();
      controller.byobRequest?.respond(0);
    },
  });
  const none = bodiless.has(status) || sent.method === 'HEAD';
  const response = new Response(none ? null : stream, {
    status,
    ...(statusText !== undefined && { statusText }),
    headers: new Headers(headers),
  });
  return withAddress(response, url, redirected || url !== sent.url);
}

/** Resolves to the error that ends a body, like the one that the script received when the call was recorded. */
function endOf(breaks: NonNullable<Answered['breaks']>, signal: AbortSignal | undefined): Promise<unknown> {
  if ('error' in breaks) return Promise.resolve(failed(breaks, 'terminated'));
  return new Promise((resolve) => {
    const end = (): void => resolve(signal?.reason);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

function withAddress(response: Response, url: string, redirected: boolean): Response {
  const clone = (): Response => withAddress(Response.prototype.clone.call(response), url, redirected);
  for (const [key, value] of Object.entries({ url, redirected, clone }))
    Object.defineProperty(response, key, { value, configurable: true });
  return response;
}
