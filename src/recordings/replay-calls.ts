import { STATUS_CODES } from 'node:http';
import { UserError } from '../base/user-error.js';
import { encodeEnvelope } from '../protocol/envelope/encode-envelope.js';
import type { PlatformEvent } from '../protocol/events.js';
import type { Integration } from '../protocol/integration.js';
import { readThrownError } from '../base/text/thrown-error.js';
import { isScriptLoadError, type ReplayCall, type ReplayOutcome, type RunReplay } from '../sandbox/index.js';
import { compareOutcome, type ReplayDifference } from './compare-outcome.js';
import { bodyBytes, fromRecordedBody } from './file/recorded-body.js';
import type { RecordedCall, RecordedRequest, Recording } from './file/recording.js';
import { headerPairs } from './recorded-outcome.js';
import { recordedEnvironment } from './recorded-environment.js';

export interface ReplayOptions {
  recording: Recording;
  /** The manifest that the environments are built from. */
  integration: Integration;
  script: { code: string; map?: string };
  run: RunReplay;
  signal?: AbortSignal;
  /** Returns variants to run instead of a call. */
  change?: (call: ReplayCall, index: number) => ReplayCall[];
  /** Called when a call has ended. */
  ended?: (result: ReplayResult) => void;
}

export interface ReplayResult {
  /** The indexes of the recorded call and the variant. */
  index: number;
  variant: number;
  call: RecordedCall;
  outcome: ReplayOutcome;
  /** Empty if the call behaved as recorded. */
  differences: ReplayDifference[];
}

/** How long a script may take to respond. The limit is the same as in `platform dev`. */
const LIMIT_MS = 30_000;

/**
 * Loads the script once, and runs the calls one after another in the recorded order. Rejects with a UserError if the script
 * fails to load.
 */
export async function replayCalls(options: ReplayOptions): Promise<ReplayResult[]> {
  const { recording, integration, script, run, signal, ended, change = (call) => [call] } = options;
  const now = Date.parse(recording.at);
  const variants: { call: ReplayCall; index: number; variant: number; recorded: RecordedCall }[] = [];
  for (const [index, recorded] of recording.calls.entries()) {
    const call = await toReplayCall(recorded, index, now, integration, recording.secrets);
    for (const [variant, changed] of change(call, index).entries())
      variants.push({ call: changed, index, variant, recorded });
  }
  const toResult = (at: number, outcome: ReplayOutcome): ReplayResult[] => {
    const found = variants[at];
    if (!found) return [];
    const { index, variant, recorded } = found;
    const differences = compareOutcome(recorded, outcome, recording.version);
    return [{ index, variant, call: recorded, outcome, differences }];
  };
  const outcomes = await run(
    script,
    { now, calls: variants.map(({ call }) => call) },
    {
      ...(signal && { signal }),
      ...(ended && { ended: (at, outcome) => toResult(at, outcome).forEach(ended) }),
    },
  ).catch(explainLoadFailure);
  return outcomes.flatMap((outcome, at) => toResult(at, outcome));
}

/**
 * Like `replayCalls`, but a call is the same as recorded even if it uses one more random value, such as for a log. The value
 * would otherwise change all later ones. Only the first 20 values are tried.
 */
export async function replayTolerantly(options: Omit<ReplayOptions, 'change'>): Promise<ReplayResult[]> {
  const results = await replayCalls(options);
  const randoms = results.map(({ differences, outcome }) =>
    differences.length === 0 ? 0 : Math.min(outcome.randoms ?? 0, 20),
  );
  if (randoms.every((count) => count === 0)) return results;
  const { ended: _, ...rest } = options;
  const spared = await replayCalls({
    ...rest,
    change: (call, index) =>
      Array.from({ length: randoms[index] ?? 0 }, (_, at) => ({ ...call, spare: at + 1 })),
  });
  return results.map(
    (result) =>
      spared.find(({ index, differences }) => index === result.index && differences.length === 0) ?? result,
  );
}

/** If the script fails to load, the error is in the author's code. */
function explainLoadFailure(error: unknown): never {
  if (!isScriptLoadError(error)) throw error;
  const { message, position } = readThrownError(error.message);
  const at = position ? ` (${position.path}:${position.line}:${position.column})` : '';
  throw new UserError(
    'script-load-failed',
    `No calls were run, because the script failed to load. ${message}${at}`,
    'To see the full error, run: platform dev',
  );
}

/** Returns the secrets that have a value in the recording but are not declared in the manifest. */
export const undeclaredSecrets = (recording: Recording, declared: readonly string[]): string[] =>
  Object.keys(recording.secrets).filter((name) => !declared.includes(name));

/** Without this check, another integration's recording would fail with confusing errors. */
export function requireSameIntegration(recording: Recording, integration: Integration, file: string): void {
  if (recording.integration === integration.name) return;
  throw new UserError(
    'other-integration',
    `${file} is a recording of ${recording.integration}, but this is ${integration.name}.`,
    'Run it in the folder of the integration that it was recorded with.',
  );
}

async function toReplayCall(
  recorded: RecordedCall,
  index: number,
  start: number,
  integration: Integration,
  secrets: Readonly<Record<string, string>>,
): Promise<ReplayCall> {
  const envelope = encodeEnvelope({
    event: recorded.event as unknown as PlatformEvent,
    environment: recordedEnvironment(recorded.stored, integration, secrets, recorded.event),
    ...(recorded.body !== undefined && { body: bodyBytes(recorded.body) }),
  });
  const bytes = Buffer.from(await new Response(envelope.body as BodyInit).arrayBuffer());
  return {
    now: start + recorded.after,
    seed: index,
    envelope: { contentType: envelope.contentType, body: bytes.toString('base64') },
    outbound: recorded.outbound.map(toReplayRequest),
    limitMs: LIMIT_MS,
  };
}

function toReplayRequest({ send, body, answer, ms }: RecordedRequest): ReplayCall['outbound'][number] {
  const space = send.indexOf(' ');
  const sent = fromRecordedBody(body);
  const common = {
    method: send.slice(0, space),
    url: send.slice(space + 1),
    ...(sent && { body: sent }),
    ms,
  };
  if (!('status' in answer)) return { ...common, answer };
  const received = fromRecordedBody(answer.body);
  return {
    ...common,
    answer: {
      status: answer.status,
      // Servers send the usual text with a status, so the log does not contain it.
      statusText: STATUS_CODES[answer.status] ?? '',
      headers: headerPairs(answer.headers),
      ...(received && { body: received }),
      ...(answer.url !== undefined && { url: answer.url }),
      ...(answer.breaks && { breaks: answer.breaks }),
    },
  };
}
