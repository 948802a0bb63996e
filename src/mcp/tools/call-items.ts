import type { OutboundDetails } from '../../contract/basics/outbound.js';
import type { CallLine, CallRecord } from '../../contract/routes/calls.js';
import type { Headers, SourceFrameResource } from '../../contract/basics/resources.js';
import type { Static } from '../../contract/basics/route.js';
import type { Value } from '../answer/separate-untrusted-text.js';

type Item = { [name: string]: Value };

export const isoTime = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();

export function callSummary(line: CallLine | CallRecord): Item {
  const { id, source, outcome, severity, version, durationMs, reason, at, likelyCause, cause } = line;
  return {
    id,
    source,
    time: isoTime(line.time),
    outcome,
    severity,
    version,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
    reason,
    ...(at && { file: at.file, line: at.line, column: at.column }),
    likelyCause,
    ...(cause && { cause: cause.type, causedBy: cause.call }),
  };
}

export const callListItem = (line: CallLine): Item => ({
  ...callSummary(line),
  type: line.type,
  component: line.component,
  action: line.action,
  method: line.method,
  url: line.url,
  subject: line.subject,
  status: line.status,
  logs: line.logs,
  outbound: line.outbound,
});

export const frameText = (frame: Static<typeof SourceFrameResource> | undefined): string | undefined =>
  frame?.lines.map((line, at) => `${frame.firstLine + at} | ${line}`).join('\n');

const hiddenHeader =
  /^(?:cookie|set-cookie|authorization|proxy-authorization|forwarded|via|x-forwarded.*|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-platform-token)$/i;
const hiddenField = /^(?:ip|ipAddress|environment|cookies?|authorization|apiTokens?)$/;

export const headersText = (headers: Headers | undefined): string | undefined =>
  headers
    ?.filter(([name]) => !hiddenHeader.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Returns an event as JSON, without credentials and visitors' addresses. */
export const eventText = (event: unknown): string =>
  JSON.stringify(event, (name, value: unknown) => {
    if (hiddenField.test(name) || hiddenHeader.test(name)) return undefined;
    return name === 'headers' && Array.isArray(value)
      ? value.filter((pair: unknown) => !(Array.isArray(pair) && hiddenHeader.test(String(pair[0]))))
      : value;
  });

const addressHeader =
  /^(?:forwarded|x-forwarded-for|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/i;

export function visitorAddresses({ event, request }: Pick<CallRecord, 'event' | 'request'>): string[] {
  const found: string[] = [];
  JSON.stringify(event, (name, value: unknown) => {
    if (/^ip(?:Address)?$/.test(name) && typeof value === 'string') found.push(value);
    return value;
  });
  for (const [name, value] of request?.headers ?? [])
    if (addressHeader.test(name)) found.push(...(value.match(/[\d.]{7,}|[\da-f:]{6,}/gi) ?? []));
  return found.filter((address) => address.length >= 4 && address !== '127.0.0.1');
}

const chunkLength = 1500;

/** Splits long text into several items, so a paginated answer can break between them. */
export function chunks(part: string, text: string, more: Item = {}): Item[] {
  const pieces: Item[] = [];
  for (let from = 0; from < text.length; from += chunkLength) {
    const of = text.length > chunkLength ? { from, of: text.length } : {};
    pieces.push({ part, ...more, ...of, content: text.slice(from, from + chunkLength) });
  }
  return pieces;
}

const bodyText = ({ encoding, content }: { encoding: string; content: string }): string =>
  encoding === 'utf-8' ? content : `base64:${content}`;

export const outboundItem = (
  { number, method, url, status, error, durationMs }: CallRecord['outbound'][number],
  details: OutboundDetails | undefined,
): Item[] => [
  {
    part: 'outbound',
    number,
    method,
    url,
    status,
    error,
    durationMs: Math.round(durationMs),
    requestHeaders: headersText(details?.request.headers),
    responseHeaders: headersText(details?.response?.headers),
  },
  ...(details?.request.body ? chunks('request', bodyText(details.request.body), { number }) : []),
  ...(details?.response?.body ? chunks('response', bodyText(details.response.body), { number }) : []),
];

export { bodyText };
