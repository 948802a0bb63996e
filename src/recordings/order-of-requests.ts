import { comparableBody, comparableUrl } from '../sandbox/index.js';
import { fromRecordedBody } from './file/recorded-body.js';
import type { RecordedBody, RecordedCall } from './file/recording.js';
import { headerPairs } from './recorded-outcome.js';

/** The maximum number of characters to compare in a body. Longer bodies are truncated first. */
const MOST_COMPARED = 1024 * 1024;

type Sent = Omit<RecordedCall['outbound'][number], 'answer' | 'ms'>;

/**
 * Grouped by host, because the order matters only among requests to the same host. Reads that follow each other may be in any
 * order, or happen at the same time.
 */
export function outboundLines(requests: readonly Sent[], simplify: (text: string) => string): string {
  const hosts = new Map<string, string[][]>();
  for (const request of requests) {
    const lines = requestLines(request);
    const url = request.send.slice(request.send.indexOf(' ') + 1);
    const host = URL.parse(url)?.host ?? '';
    const groups = hosts.get(host) ?? [];
    hosts.set(host, groups);
    const isRead = /^(?:GET|HEAD) /.test(request.send);
    const last = groups.at(-1);
    if (isRead && /^(?:GET|HEAD) /.test(last?.[0] ?? '')) last?.push(lines);
    else groups.push([lines]);
  }
  return [...hosts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, groups]) => groups)
    .flatMap((group) => group.toSorted((a, b) => (simplify(a) < simplify(b) ? -1 : 1)))
    .join('\n');
}

const requestLines = ({ send, wait, headers, body }: Sent): string =>
  [
    comparableUrl(send),
    ...(wait === undefined ? [] : [`  (after a ${wait} wait)`]),
    ...headerPairs(headers).map(([name, value]) => `  ${name}: ${value}`),
    ...(body === undefined ? [] : bodyLines(body)).map((line) => `  ${line}`),
  ].join('\n');

/** Formats JSON across several lines, with sorted object keys. */
export function bodyLines(body: RecordedBody): string[] {
  const text = comparableBody(fromRecordedBody(body));
  return pretty(text).slice(0, MOST_COMPARED).split(/\r?\n/);
}

function pretty(text: string): string {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // It is not JSON, or it is nested too deeply to be indented.
    return text;
  }
}
