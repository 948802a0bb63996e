import { parseJson } from '../../base/parse-json.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import type { StackFrame } from '../../base/text/stack-frame.js';
import {
  comparableBody,
  seededId,
  type ReplayBody,
  type ReplayCall,
  type ReplayOutcome,
  type SentRequest,
} from '../../sandbox/index.js';
import { visitTexts } from '../record/find-named-values.js';
import { keepHeaders } from '../recorded-outcome.js';
import type { Variant } from './faults-to-try.js';
import { changesOutside, hasOwnKey, isPlatform, requestKey, stores } from './outbound-kinds.js';

export const faultRules = [
  'uncaught-error',
  'no-time-limit',
  'lost-change',
  'unawaited-request',
  'many-requests',
  'repeated-change',
  'leaked-secret',
  'lost-data',
  'missing-value',
] as const;

/** Missing error handling, as demonstrated by one variant of the call. */
export interface FaultFinding {
  rule: (typeof faultRules)[number];
  /** The problem in one sentence. */
  message: string;
  /** The line in the author's code, if it is known. */
  at: StackFrame | undefined;
}

export interface Judged {
  base: ReplayOutcome;
  outcome: ReplayOutcome;
  /** The names of the stored properties that contain credentials. */
  credentials: readonly string[];
  /** Values that must not appear in a response or a log line. */
  secrets: readonly string[];
}

/** A few retries of each recorded request are fine. */
const mostAdditional = (base: ReplayOutcome): number => Math.max(20, 4 * base.outbound.length);

/** Returns the findings that need no injected fault: requests that are never awaited. */
export const judgeBaseline = (base: ReplayOutcome): FaultFinding[] =>
  base.outbound.filter((sent) => isUnawaited(base, sent)).map(unawaited);

/** Compares the script's behavior in a variant with its behavior without the fault. */
export function judgeFault({ fault, call }: Variant, judged: Judged): FaultFinding[] {
  const { base, outcome } = judged;
  const faulted = outcome.outbound.filter((sent) => failed(call, sent));
  const at = positionOf(faulted[0] ?? base.outbound[0]);
  const added = outcome.outbound.length - base.outbound.length;
  const tooMany = added > mostAdditional(base);
  const stuck = outcome.unfinished || /did not respond within/.test(outcome.failure ?? '');
  // A script that retries a request with a time limit is slow, but it does not wait forever.
  const waits =
    stuck &&
    (fault.kind === 'hangs'
      ? faulted.some(({ answeredAt, at: begun }) => answeredAt === undefined && begun < call.limitMs / 2)
      : !tooMany);
  const found: FaultFinding[] = [
    ...uncaughtErrors(base, outcome),
    ...(waits ? [{ rule: 'no-time-limit', message: stuckMessage(fault.kind), at } as const] : []),
    ...(tooMany
      ? [
          {
            rule: 'many-requests',
            message: `Sends ${added} more requests than without the fault.`,
            at,
          } as const,
        ]
      : []),
    ...leaks(judged).map((where) => ({
      rule: 'leaked-secret' as const,
      message: `A secret appears in ${where}.`,
      at,
    })),
    ...repeatedChanges(call, judged),
    ...blindRetries(call, faulted, judged),
    ...clearedCredentials(judged),
    ...missingValues(judged).map((where) => ({
      rule: 'missing-value' as const,
      message: `\`undefined\` appears in ${where}.`,
      at,
    })),
  ];
  if (stuck || !outcome.response || outcome.response.status >= 400) return found;
  return [
    ...found,
    ...outcome.outbound
      .filter(
        (sent) => changesOutside(sent) && !('hangs' in answerOf(call, sent)) && isUnawaited(outcome, sent),
      )
      .map(unawaited),
    ...(isSilent(base, outcome) && !hasOtherRequest(base, outcome)
      ? lostChanges(call, faulted, outcome)
      : []),
    ...(isSilent(base, outcome, withoutNumbers) ? lostData(base, outcome, at) : []),
  ];
}

/** Whether the fault left no trace in the response, the logs or the rejections. */
const isSilent = (base: ReplayOutcome, outcome: ReplayOutcome, simplify?: Simplify): boolean =>
  sameResponse(base, outcome, simplify) &&
  newLogs(base, outcome, simplify).length === 0 &&
  newRejections(base, outcome) === 0;

type Simplify = (text: string) => string;
const unchanged: Simplify = (text) => text;
/**
 * A script that stores less usually reports a smaller number too, but the number alone does not tell the user that something
 * is missing.
 */
const withoutNumbers: Simplify = (text) => text.replaceAll(/\d+/g, '0');

/** Finds requests that are repeated when the same call is delivered twice. `ids` identify the delivery. */
export function judgeSecondDelivery(
  first: ReplayOutcome,
  second: ReplayOutcome,
  ids: readonly string[],
): FaultFinding[] {
  const usesId = (sent: SentRequest): boolean => {
    const text = JSON.stringify([sent.url, sent.body, sent.headers]);
    return ids.some((id) => text.includes(id));
  };
  // Once the script has sent a request that contains the id, it can detect that it has already handled the delivery.
  const firstUse = second.outbound.findIndex(usesId);
  const before = new Set(first.outbound.map(requestKey));
  return second.outbound
    .slice(0, firstUse === -1 ? undefined : firstUse)
    .filter(
      (sent) =>
        sent.method === 'POST' && changesOutside(sent) && before.has(requestKey(sent)) && !hasOwnKey(sent),
    )
    .map((sent) => ({
      rule: 'repeated-change' as const,
      message: `A second delivery sends ${sent.method} ${sent.url} again.`,
      at: positionOf(sent),
    }));
}

/** Finds requests that succeeded and were sent again, for example because the script started over after a later failure. */
function repeatedChanges(call: ReplayCall, { base, outcome }: Judged): FaultFinding[] {
  const successes = (all: ReplayOutcome): SentRequest[] =>
    all.outbound.filter(
      (sent) =>
        isAdded(sent) && sent.answeredAt !== undefined && sent.match !== 'none' && !failed(call, sent),
    );
  const usual = successes(base).map(requestKey);
  const allowed = new Map(usual.map((key) => [key, usual.filter((other) => other === key).length]));
  return successes(outcome).flatMap((sent) => {
    const key = requestKey(sent);
    // A request that only the fault causes, such as an alert, may be sent once.
    const left = allowed.get(key) ?? 1;
    allowed.set(key, left - 1);
    if (left > 0) return [];
    const message = `${sent.method} ${sent.url} is sent again, although it succeeded.`;
    return [{ rule: 'repeated-change' as const, message, at: positionOf(sent) }];
  });
}

/** Whether the service adds something each time it receives the request. */
const isAdded = (sent: SentRequest): boolean =>
  sent.method === 'POST' &&
  changesOutside(sent) &&
  !sent.headers.some(([name]) => /idempotency/i.test(name)) &&
  !hasOwnKey(sent);

/** Finds requests that are sent again although the first one may have succeeded, because only its response is missing. */
function blindRetries(
  call: ReplayCall,
  faulted: readonly SentRequest[],
  { base, outcome }: Judged,
): FaultFinding[] {
  const count = ({ outbound }: ReplayOutcome, key: string): number =>
    outbound.filter((sent) => requestKey(sent) === key).length;
  const [sent] = faulted.filter((one) => isAdded(one) && !('status' in answerOf(call, one)));
  if (!sent || count(outcome, requestKey(sent)) <= count(base, requestKey(sent))) return [];
  const message = `${sent.method} ${sent.url} is sent again, although it may have succeeded.`;
  return [{ rule: 'repeated-change', message, at: positionOf(sent) }];
}

/** Finds credentials that the script deletes although the failure said nothing about them. */
function clearedCredentials({ base, outcome, credentials }: Judged): FaultFinding[] {
  const usual = new Set(base.outbound.map(requestKey));
  return outcome.outbound
    .filter((sent) => stores(sent) && !usual.has(requestKey(sent)))
    .flatMap((sent) => {
      const { configuration } = parseJson(comparableBody(sent.body), {}) as { configuration?: object };
      if (typeof configuration !== 'object' || configuration === null) return [];
      const kept = Object.entries(configuration).filter(([, value]) => countValues(value) > 0);
      const lost = credentials.filter((name) => kept.every(([key]) => key !== name));
      return lost.map((name) => ({
        rule: 'lost-data' as const,
        message: `${sent.method} ${sent.url} removes ${name}, although the failure may be temporary.`,
        at: positionOf(sent),
      }));
    });
}

const placeholder = /(?<![\w"'`.])(?:undefined|NaN|\[object Object\])(?![\w"'`(])/;

/** Finds texts for people or services in which a value is missing. */
function missingValues({ base, outcome }: Judged): string[] {
  const isMissing = (texts: string[]): boolean => texts.some((text) => placeholder.test(text));
  const responded = ({ response }: ReplayOutcome): boolean => isMissing(textsIn(response?.body));
  const sent = ({ url, body }: SentRequest): boolean => isMissing([url, ...textsIn(body)]);
  return [
    ...(responded(outcome) && !responded(base) ? ['the response'] : []),
    ...(base.outbound.some(sent) ? [] : outcome.outbound.filter(sent).slice(0, 1)).map(
      ({ method, url }) => `the request ${method} ${url}`,
    ),
  ];
}

/** Returns the strings in JSON, or else the whole text. */
function textsIn(body: ReplayBody | undefined): string[] {
  const text = comparableBody(body);
  const found: string[] = [];
  visitTexts(
    /^[[{]/.test(text) ? parseJson(text, text) : text,
    [],
    'data',
    (value) => void found.push(value),
  );
  return found;
}

const positionOf = (sent: SentRequest | undefined): StackFrame | undefined =>
  sent && readThrownError(sent.stack).position;

const unawaited = (sent: SentRequest): FaultFinding => ({
  rule: 'unawaited-request',
  message: `${sent.method} ${sent.url} may be cut off, because nothing waits for it.`,
  at: positionOf(sent),
});

/** A request like this was still in flight when the call ended, so neither the response nor `waitUntil` waited for it. */
const isUnawaited = ({ response, unfinished }: ReplayOutcome, sent: SentRequest): boolean =>
  response !== undefined && !unfinished && sent.open === true && sent.answeredAt === undefined;

const stuckMessage = (kind: Variant['fault']['kind']): string =>
  kind === 'hangs' ? 'Waits forever, because the request has no timeout.' : 'Waits too long before retrying.';

const thrown =
  /^(\[integrations\] |A promise passed to waitUntil was rejected: |Unhandled promise rejection: |Uncaught error: )?((?:TypeError|RangeError|ReferenceError|SyntaxError): .*)/;
/**
 * Matches errors from `fetch` and from reading a body. Skips errors for reading a body twice, because those are the author's
 * mistake.
 */
const ofFetch =
  /^TypeError: (?:fetch failed|Failed to |Body (?!is unusable|has already been )|terminated|Network connection|This ReadableStream|Invalid response)/i;

function uncaughtErrors(base: ReplayOutcome, outcome: ReplayOutcome): FaultFinding[] {
  return newLogs(base, outcome).flatMap(({ level, text }) => {
    const [, prefix, error = ''] = thrown.exec(text) ?? [];
    // If the line has no prefix, the script may have caught the error and logged it itself.
    const uncaught = prefix !== undefined || (outcome.response?.status ?? 500) >= 500;
    if (level !== 'error' || error === '' || ofFetch.test(error) || !uncaught) return [];
    return [{ rule: 'uncaught-error' as const, message: `${error}.`, at: readThrownError(text).position }];
  });
}

function newLogs(base: ReplayOutcome, outcome: ReplayOutcome, simplify = unchanged): ReplayOutcome['logs'] {
  const rest = base.logs.map(({ level, text }) => simplify(`${level} ${text}`));
  return outcome.logs.filter(({ level, text }) => {
    const at = rest.indexOf(simplify(`${level} ${text}`));
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}

const newRejections = (base: ReplayOutcome, outcome: ReplayOutcome): number =>
  Math.max(0, outcome.rejected.length - base.rejected.length);

function sameResponse(base: ReplayOutcome, outcome: ReplayOutcome, simplify = unchanged): boolean {
  const text = ({ response }: ReplayOutcome): string => {
    // A redirect shows its result only in a header.
    const { headers = {} } = keepHeaders(response?.headers ?? []);
    const shown = JSON.stringify(headers) + comparableBody(response?.body);
    return `${response?.status} ${simplify(shown.replaceAll(seededId, 'id'))}`;
  };
  return text(base) === text(outcome);
}

/** Whether the script sent a different kind of request, for example to queue a task that tries again. Retries do not count. */
function hasOtherRequest(base: ReplayOutcome, outcome: ReplayOutcome): boolean {
  const known = new Set(base.outbound.map(otherKey));
  return outcome.outbound.some((sent) => !known.has(otherKey(sent)));
}

const otherKey = (sent: SentRequest): string =>
  isPlatform(sent.url) ? requestKey(sent) : `${sent.method} ${sent.url.replaceAll(seededId, 'id')}`;

const answerOf = (call: ReplayCall, { recorded }: SentRequest): object =>
  call.outbound[recorded ?? -1]?.answer ?? {};

function failed(call: ReplayCall, sent: SentRequest): boolean {
  const answer = call.outbound[sent.recorded ?? -1]?.answer;
  return answer !== undefined && (!('status' in answer) || answer.status >= 400);
}

/** Finds changes that are lost because the last attempt to send them failed. */
function lostChanges(
  call: ReplayCall,
  faulted: readonly SentRequest[],
  outcome: ReplayOutcome,
): FaultFinding[] {
  const lost = faulted.filter((sent) => {
    const last = outcome.outbound.findLast((other) => requestKey(other) === requestKey(sent));
    return changesOutside(sent) && !isUnawaited(outcome, sent) && last !== undefined && failed(call, last);
  });
  return lost.map((sent) => ({
    rule: 'lost-change',
    message: `${sent.method} ${sent.url} is lost: the response is the same, and nothing is logged.`,
    at: positionOf(sent),
  }));
}

/** Finds cases where the script reports success but stored less than it would have without the fault. */
function lostData(base: ReplayOutcome, outcome: ReplayOutcome, at: StackFrame | undefined): FaultFinding[] {
  return base.outbound
    .filter((before) => stores(before) || replaces(before))
    .filter((before) => {
      const same = outcome.outbound.find(({ method, url }) => method === before.method && url === before.url);
      return same ? valuesIn(same) < valuesIn(before) : stores(before);
    })
    .map(({ method, url }) => ({
      rule: 'lost-data',
      message: `Reports success, but ${method} ${url} stores less data.`,
      at,
    }));
}

/** Whether the request replaces what another service has stored, so that missing values are deleted. */
const replaces = (sent: SentRequest): boolean => sent.method === 'PUT' && changesOutside(sent);

const valuesIn = ({ body }: SentRequest): number => countValues(comparableBody(body));

/** Counts non-empty values, including those inside strings of JSON. */
export function countValues(value: unknown): number {
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    const inner = parseJson(value, undefined);
    if (inner !== undefined) return countValues(inner);
  }
  if (typeof value === 'object' && value !== null)
    return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 0);
  return value === '' || value === null ? 0 : 1;
}

function leaks({ base, outcome, secrets }: Judged): string[] {
  const response = ({ response: one }: ReplayOutcome): string => JSON.stringify(one ?? '');
  const logs = newLogs(base, outcome).map(({ text }) => text);
  return secrets.flatMap((secret) => [
    ...(response(outcome).includes(secret) && !response(base).includes(secret) ? ['the response'] : []),
    ...(logs.some((text) => text.includes(secret)) && !base.logs.some(({ text }) => text.includes(secret))
      ? ['a log line']
      : []),
  ]);
}
