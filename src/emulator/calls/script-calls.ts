import { errorMessage } from '../../base/text/error-message.js';
import type { Clock, Timers } from '../../base/clock.js';
import {
  checkMarkup,
  describeMarkupProblem,
  type MarkupProblem,
} from '../../protocol/markup/check-markup.js';
import { parseJson } from '../../base/parse-json.js';
import { isObject } from '../http/read-json.js';
import type { ScriptCall, ScriptHost } from '../../sandbox/script/script-host.js';
import { wholeBody } from '../../sandbox/wire/whole-response.js';
import type { CallRecord, CallOutcome, CallProblem } from '../../store/calls/call-log.js';
import { errorResponse } from '../http/http-error.js';
import { dropBody } from '../http/send-response.js';
import { createOpenStreams, type OpenStreams } from '../http/open-streams.js';
import type { Environments } from '../state/script-environments.js';
import type { CallStart, Recording, CallRecorder } from './call-recorder.js';
import type { CausedCall, Storms } from './storms.js';

export interface CallInput
  extends
    Omit<CallStart, 'scriptBytes' | 'defaulted' | 'event' | 'environment'>,
    Pick<ScriptCall, 'event' | 'environment' | 'body'> {
  /** The call that caused this one without a delay. */
  from?: string | undefined;
  /** Returns the problem of a response that the platform will not pass on as it is. */
  judge?: (response: Response) => CallProblem | undefined;
}

/** Calls the author's script. Each call is recorded from start to the last byte of the response. */
export type ScriptCalls = ReturnType<typeof createScriptCalls>;

export function createScriptCalls(deps: {
  host: ScriptHost;
  recorder: Pick<CallRecorder, 'begin'>;
  timers: Timers;
  clock: Pick<Clock, 'monotonic'>;
  storms: Storms;
  defaultedIn: Environments['defaultedIn'];
}) {
  const { host, recorder, timers, clock, storms, defaultedIn } = deps;
  const streams = createOpenStreams(timers);
  const begin = (call: Omit<CallStart, 'scriptBytes' | 'defaulted'>): Recording =>
    recorder.begin({
      ...call,
      scriptBytes: host.scriptBytes?.(),
      defaulted: call.environment && defaultedIn(call.environment),
    });
  return {
    call({ body, judge, from, ...call }: CallInput) {
      const { id, event, environment } = call;
      const recording = begin(call);
      const caused = from !== undefined && { id, from, ...nameOf(event, environment) };
      const storm = caused && storms.check(caused, event.type === 'task', clock);
      if (storm) {
        if (body instanceof ReadableStream) void body.cancel().catch(() => {});
        recording.finish('withheld', storm);
        return Promise.resolve(errorResponse(508, storm));
      }
      const tapped = body && tapRequest(body, recording);
      return recorded(recording, streams, call.request?.method, async () => {
        const response = await host.call({ id, event, environment, ...(tapped && { body: tapped }) });
        const problem = judge?.(response);
        if (problem) recording.noticed(problem);
        return response;
      });
    },
    /** Records a call without passing it to the script. */
    withhold: (call: Omit<CallInput, 'body' | 'judge'>, why: string) => begin(call).finish('withheld', why),
    /** Forwards a hand-written envelope. */
    raw(
      id: string,
      { method, url, headers }: Pick<Request, 'method' | 'url' | 'headers'>,
      body: CallInput['body'] | undefined,
    ) {
      const recording = begin({
        id,
        source: 'request',
        event: undefined,
        environment: undefined,
        request: { method, url, headers: [...headers] },
      });
      const tapped = body && tapRequest(body, recording);
      const init: RequestInit & { duplex: 'half' } = {
        method,
        headers,
        duplex: 'half',
        ...(tapped && { body: tapped as BodyInit }),
      };
      return recorded(recording, streams, method, () => host.raw(id, new Request(url, init)));
    },
  };
}

const nameOf = (
  event: ScriptCall['event'],
  { integration, installation }: ScriptCall['environment'],
): Pick<CausedCall, 'name' | 'installation'> => ({
  name: `${integration.name} ${event.type}${event.type === 'task' ? ` ${event.task.type}` : ''}`,
  installation: installation?.id,
});

function tapRequest<Body extends ReadableStream<Uint8Array> | Uint8Array>(
  body: Body,
  recording: Recording,
): Body | ReadableStream<Uint8Array> {
  if (!(body instanceof Uint8Array)) {
    return tapBody(body, { chunk: (chunk) => recording.piece('request', chunk), end: () => {} });
  }
  recording.whole('request', body);
  return body;
}

async function recorded(
  recording: Recording,
  streams: OpenStreams,
  method: string | undefined,
  run: () => Promise<Response>,
): Promise<Response> {
  let response: Response;
  try {
    response = await run();
  } catch (error) {
    return failure(recording, error);
  }
  recording.responded(response);
  const whole = wholeBody(response);
  if (whole) {
    recording.whole('response', whole);
    finish(recording, whole);
    return response;
  }
  if (!response.body) {
    finish(recording);
    return response;
  }
  const { status, statusText, headers } = response;
  if (method === 'HEAD') {
    // Drops the body, because a stream that is not read never ends.
    dropBody(response);
    finish(recording);
    return new Response(null, { status, statusText, headers });
  }
  if (Number(headers.get('content-length') ?? Infinity) <= inOnePiece) {
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      recording.whole('response', bytes);
      finish(recording, bytes);
      return new Response(bytes, { status, statusText, headers });
    } catch (error) {
      return failure(recording, error);
    }
  }
  const cut = new AbortController();
  const leave = streams.enter((reason) => cut.abort(reason));
  if (typeof leave === 'string') {
    dropBody(response);
    return refused(recording, 503, leave);
  }
  let beginning: Uint8Array | undefined;
  const see = (chunk: Uint8Array): void => {
    beginning ??= chunk;
    recording.piece('response', chunk);
  };
  const end = (error?: unknown): void => {
    leave();
    if (error === undefined) finish(recording, beginning);
    else recording.finish('failed', errorMessage(error));
  };
  const body = tapBody(response.body, { chunk: see, end }, cut.signal);
  return new Response(body, { status, statusText, headers });
}

/** Short responses of known length are sent in one piece, which is faster than streaming them. */
const inOnePiece = 64 * 1024;

/** Records that the response is missing or incomplete. */
const failure = (recording: Recording, error: unknown): Response =>
  refused(recording, 502, `The script did not respond: ${errorMessage(error)}`);

function refused(recording: Recording, status: number, message: string): Response {
  const response = errorResponse(status, message);
  recording.responded(response);
  recording.finish('failed', message);
  return response;
}

function finish(recording: Recording, beginning?: Uint8Array): void {
  const { source, response, event } = recording.call;
  const outcome = outcomeOf(source, response?.status ?? 502);
  if (event?.type === 'ui_render' && response?.status === 200)
    for (const { message } of markupProblems(beginning))
      recording.noticed({
        code: 'unknown-markup',
        severity: 'warning',
        message: describeMarkupProblem(event.componentId, message),
      });
  recording.finish(outcome, outcome === 'failed' ? errorIn(beginning) : undefined);
}

/** A request's response may have any status below 500. An event's response must have a success status. */
export function outcomeOf(source: CallRecord['source'], status: number): CallOutcome {
  if (source === 'request') return status >= 500 ? 'failed' : 'ok';
  if (status === 406) return 'no-handler';
  return status >= 400 ? 'failed' : 'ok';
}

/** Returns the unknown elements and properties in a component's markup. */
export function markupProblems(body: Uint8Array | undefined): MarkupProblem[] {
  const result = parseJson(new TextDecoder().decode(body), undefined);
  return isObject(result) ? checkMarkup(result.element) : [];
}

function errorIn(body: Uint8Array | undefined): string | undefined {
  const answer = parseJson(new TextDecoder().decode(body), undefined);
  return isObject(answer) && typeof answer.error === 'string' ? answer.error : undefined;
}

interface Tap {
  chunk(bytes: Uint8Array): void;
  /** Called once, at the end of the body or with the error that ended it early. */
  end(error?: unknown): void;
}

/**
 * Records the bytes of a body while passing them on. Reads no faster than its consumer, and stops when the signal is
 * aborted.
 */
function tapBody(
  body: ReadableStream<Uint8Array>,
  tap: Tap,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener('abort', () => {
          tap.end(signal.reason);
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            tap.end();
            controller.close();
            return;
          }
          tap.chunk(value);
          controller.enqueue(value);
        } catch (error) {
          tap.end(error);
          controller.error(error);
        }
      },
      async cancel(reason) {
        tap.end(reason ?? new Error('The client closed the connection.'));
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
