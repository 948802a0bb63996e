import { comparableBody, seededId, type ReplayOutcome, type SentRequest } from '../sandbox/index.js';
import { fromRecordedBody } from './file/recorded-body.js';
import type { RecordedBody, RecordedCall } from './file/recording.js';
import { toRecorded } from './recorded-outcome.js';

/** A difference between a replay and its recording. */
export interface ReplayDifference {
  kind: 'response' | 'outbound' | 'rejected';
  /** The recorded and the new text, compared line by line. */
  before: string;
  after: string;
}

/** The maximum number of characters to compare in a body. Longer bodies are truncated first. */
const MOST_COMPARED = 1024 * 1024;

/** Compares a call's outcome with its recording. Ids generated from the seed are treated as equal. */
export function compareOutcome(call: RecordedCall, outcome: ReplayOutcome): ReplayDifference[] {
  const now = toRecorded(outcome);
  const pairs: [ReplayDifference['kind'], string, string][] = [
    ['response', responseLines(call), responseLines(now)],
    ['outbound', outboundLines(call.outbound), outboundLines(now.outbound)],
    ['rejected', (call.rejected ?? []).join('\n'), (now.rejected ?? []).join('\n')],
  ];
  return pairs
    .map(([kind, before, after]) => ({ kind, before: comparable(before), after: comparable(after) }))
    .filter(({ before, after }) => before !== after);
}

const comparable = (text: string): string => text.replaceAll(seededId, '<random id>');

function responseLines({ response, failure }: Pick<RecordedCall, 'response' | 'failure'>): string {
  if (!response) return failure ?? 'no response';
  const { status, headers = {}, body } = response;
  const kept = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`status ${status}`, ...kept.sort(), ...(body === undefined ? [] : ['', ...bodyLines(body)])].join(
    '\n',
  );
}

type Sent = Pick<RecordedCall['outbound'][number], 'send' | 'body'>;

/** Grouped by host, because the order matters only among requests to the same host. */
function outboundLines(requests: readonly Sent[]): string {
  const hosts = new Map<string, Sent[]>();
  for (const request of requests) {
    const host = URL.parse(request.send.slice(request.send.indexOf(' ') + 1))?.host ?? '';
    hosts.set(host, [...(hosts.get(host) ?? []), request]);
  }
  return [...hosts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, sent]) => sent)
    .flatMap(({ send, body }) => [
      send,
      ...(body === undefined ? [] : bodyLines(body)).map((line) => `  ${line}`),
    ])
    .join('\n');
}

/** Formats JSON across several lines, with sorted object keys. */
function bodyLines(body: RecordedBody): string[] {
  const text = comparableBody(fromRecordedBody(body));
  return pretty(text).slice(0, MOST_COMPARED).split(/\r?\n/);
}

function pretty(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns the first outbound request that differs from the recording. */
export const firstDifferent = (outbound: readonly SentRequest[]): SentRequest | undefined =>
  outbound.find(({ match }) => match !== 'same');
