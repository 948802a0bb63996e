import { callScript, createBackground, type ScriptModule } from '../script/call-script.js';
import { createCallRun, inRun, type CallRun } from './call-run.js';
import { bodyOf, bytesOf } from './find-answer.js';
import { stackOf } from './repeatable-globals.js';
import { LARGEST_RESPONSE, type ReplayCall, type ReplayOutcome } from './replay-types.js';

/** The parts that differ between runtimes. */
export interface ReplayMachine {
  /** Resolves in the next turn of the real event loop. */
  turn(): Promise<void>;
  /** Resolves after this many milliseconds of real time. */
  wait(ms: number): Promise<void>;
  reportError(...values: unknown[]): void;
}

/** Saved before a script can replace these functions. */
const { Request } = globalThis;

/** A call counts as idle after this many turns without activity. Blobs and streams take a few turns. */
const IDLE_TURNS = 12;
/** How long a compression stream may take to process a chunk. */
const PACKING_MS = 25;
/** A call without timers or requests that is still waiting after this long will wait forever. */
const STUCK_MS = 100;
/** How long `waitUntil` work may continue after the response, in the script's time. */
const BACKGROUND_MS = 10 * 60_000;
const MOST_TIMERS = 100_000;

/** Runs a single call of the script with its own clock. Resolves to the call's outcome. */
export async function runCall(
  script: ScriptModule,
  call: ReplayCall,
  machine: ReplayMachine,
): Promise<ReplayOutcome> {
  const run = createCallRun(call);
  const { outcome } = run;
  const work = inRun(run, () => respond(script, run, machine));
  void work.then(() => (run.ended = true));
  let timers = 0;
  let limit = call.now + call.limitMs;
  for (let stuck = 0; !run.ended;) {
    await idle(run, machine);
    if (run.ended || outcome.failure !== undefined) break;
    if (outcome.response) limit = call.now + call.limitMs + BACKGROUND_MS;
    if (inRun(run, () => run.next(limit))) {
      timers += 1;
      if (timers > MOST_TIMERS) {
        outcome.failure ??= `It used more than ${MOST_TIMERS.toLocaleString('en')} timers.`;
        break;
      }
      stuck = 0;
      continue;
    }
    if (stuck >= STUCK_MS) {
      if (outcome.response) outcome.unfinished = true;
      else outcome.failure ??= `It did not respond within ${call.limitMs / 1000} s.`;
      break;
    }
    await machine.wait(10);
    stuck += 10;
  }
  run.ended = true;
  outcome.durationMs = run.now - call.now;
  return outcome;
}

async function idle(run: CallRun, { turn, wait }: ReplayMachine): Promise<void> {
  for (let still = 0; still < IDLE_TURNS && !run.ended;) {
    const before = run.activity;
    await turn();
    still = run.pending > 0 || run.activity !== before ? 0 : still + 1;
    if (still < IDLE_TURNS || run.packing === 0) continue;
    await wait(PACKING_MS);
    if (run.pending > 0 || run.activity !== before) still = 0;
    else run.packing = 0;
  }
}

async function respond(script: ScriptModule, run: CallRun, machine: ReplayMachine): Promise<void> {
  const { contentType, body } = run.call.envelope;
  const { outcome } = run;
  const request = new Request('http://localhost/v1', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: bytesOf({ base64: body }),
  });
  const { context, settled } = createBackground(machine.reportError, undefined, () => run.now).context(
    (_, { error }) => {
      if (error !== undefined) outcome.rejected.push(error);
    },
  );
  const response = await callScript({ script, request, context, reportError: machine.reportError });
  try {
    const bytes = await readAll(response.body);
    outcome.response = {
      status: response.status,
      headers: [...response.headers],
      body: bodyOf(bytes),
      stack: stackOf(response),
    };
  } catch (error) {
    machine.reportError('The response body failed:', error);
    outcome.failure = 'The response was cut short.';
  }
  for (const sent of outcome.outbound) if (sent.answeredAt === undefined) sent.open = true;
  await settled();
}

async function readAll(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) break;
    if (!(value instanceof Uint8Array))
      throw new TypeError('The response body contains a chunk that is not a Uint8Array.');
    length += value.length;
    if (length > LARGEST_RESPONSE) throw new Error('The response is longer than 16 MB.');
    pieces.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
