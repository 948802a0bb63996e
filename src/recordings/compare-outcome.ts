import { hiddenSecret } from '../protocol/mask-secrets.js';
import {
  comparableUrl,
  matchesMasked,
  seededId,
  type ReplayOutcome,
  type SentRequest,
} from '../sandbox/index.js';
import { RECORDING_VERSION, type RecordedCall } from './file/recording.js';
import { bodyLines, outboundLines } from './order-of-requests.js';
import { inNewOrder, keepMasks } from './own-secrets.js';
import { headerPairs, keepHeaders, toRecorded } from './recorded-outcome.js';

/** A difference between a replay and its recording. */
export interface ReplayDifference {
  kind: 'response' | 'outbound' | 'rejected';
  /** The recorded and the new text, compared line by line. */
  before: string;
  after: string;
}

type Did = Pick<RecordedCall, 'outbound' | 'response' | 'failure' | 'rejected'>;

/**
 * Compares a call's outcome with its recording. Ids generated from the seed are numbered in the order in which they first
 * appear, because the ids themselves depend on how many the script has generated before. A mask in the recording matches any text.
 */
export function compareOutcome(
  call: RecordedCall,
  outcome: ReplayOutcome,
  version = RECORDING_VERSION,
): ReplayDifference[] {
  const now = keepMasks(inNewOrder(call, outcome), toRecorded(outcome));
  const [before, after] = [call, now].map((did) =>
    textsOf(version === 1 ? asInVersion1(did) : did, numberIds()),
  ) as [Texts, Texts];
  return kinds
    .map((kind) => ({ kind, before: before[kind], after: after[kind] }))
    .filter((pair) => pair.before !== pair.after);
}

const kinds = ['response', 'outbound', 'rejected'] as const;

function asInVersion1({ outbound, response, ...did }: Did): Did {
  const { headers, ...rest } = response ?? { status: 0 };
  return {
    ...did,
    outbound: withoutHeaders(outbound),
    ...(response && { response: { ...rest, ...keepHeaders(headerPairs(headers), 1) } }),
  };
}

const withoutHeaders = (requests: Did['outbound']): Did['outbound'] =>
  requests.map(({ wait: _wait, headers: _headers, ...request }) => request);

function numberIds(): (text: string) => string {
  const known = new Map<string, number>();
  return (text) =>
    text.replaceAll(seededId, (id) => {
      if (!known.has(id)) known.set(id, known.size + 1);
      return `<random id ${known.get(id)}>`;
    });
}

type Texts = Record<ReplayDifference['kind'], string>;

function textsOf(did: Did, simplify: (text: string) => string): Texts {
  // The requests come first, because ids usually appear in them first.
  const outbound = simplify(outboundLines(did.outbound, (text) => text.replaceAll(seededId, 'id')));
  return {
    outbound,
    response: simplify(responseLines(did)),
    rejected: simplify((did.rejected ?? []).join('\n')),
  };
}

/** Values that differ between a call in `platform dev` and its replay, although the script works in the same way. */
const volatile =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d?:\d\d(?::\d\d)?(?:\.\d+)?(?: ?[AP]M\b)?|\b1[6-9]\d{8}(?:\d{3})?\b|\b0\.\d{8,}\b|(?<![A-Za-z\d+/])[A-Za-z\d+/]{27,}={1,2}|[\w-]{16,}/gi;

/** The platform's own addresses. */
const ownAddress = /127(?:\.\d{1,3}){3}:\d{2,5}/g;

/** URLs that are parameters of other URLs are decoded first, so that the values in them are recognized. */
const withoutVolatile = (text: string): string =>
  text
    .replaceAll(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(ownAddress, '127.0.0.1')
    .replaceAll(volatile, (found) => (/^[a-z_-]+$/i.test(found) && !/example/i.test(found) ? found : '…'));

/**
 * Compares a call's replay with the call in the log, in which secrets are masked. A response may contain a secret that is
 * masked in the request it came from, so the values that were `filled` in for masks match any text. Lines that are different
 * in an `other` replay depend on random values. Returns the first line that differs, or undefined if there is none.
 */
export function compareWithLog(
  call: Did,
  now: Did,
  filled: readonly string[] = [],
  other = now,
): { kind: ReplayDifference['kind']; before: string; after: string } | undefined {
  const hide = (text: string): string =>
    filled.reduce((left, value) => left.replaceAll(value, hiddenSecret), text);
  for (const kind of ['response', 'outbound'] as const) {
    const [before = [], after = [], again = []] = [call, now, other].map((did) =>
      (kind === 'response'
        ? responseLines(did.response ? { response: did.response } : {})
        : outboundLines(withoutHeaders(did.outbound), withoutVolatile)
      )
        // Replaced secrets may have lost levels of escaping.
        .replaceAll('\\', '')
        .split('\n'),
    );
    const at = Array.from({ length: Math.max(before.length, after.length) }).findIndex((_, line) => {
      const [left, right] = [before[line], after[line]];
      if (left === undefined || right === undefined) return left !== right;
      // A masked part of a long value makes it look less random than the whole.
      return (
        left !== right &&
        again[line] === right &&
        !matchesMasked(left, right) &&
        !matchesMasked(hide(right), left) &&
        !matchesMasked(withoutVolatile(left), withoutVolatile(right))
      );
    });
    if (at !== -1) return { kind, before: before[at] ?? 'nothing', after: after[at] ?? 'nothing' };
  }
  return undefined;
}

function responseLines({ response, failure }: Pick<Did, 'response' | 'failure'>): string {
  if (!response) return failure ?? 'no response';
  const { status, headers, body } = response;
  const kept = headerPairs(headers).map(
    ([name, value]) => `${name}: ${name === 'location' ? comparableUrl(value) : value}`,
  );
  return [`status ${status}`, ...kept.sort(), ...(body === undefined ? [] : ['', ...bodyLines(body)])].join(
    '\n',
  );
}

export const firstDifferent = (outbound: readonly SentRequest[]): SentRequest | undefined =>
  outbound.find(({ match }) => match !== 'same');
