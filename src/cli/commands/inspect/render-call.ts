import type { FailureResource } from '../../../contract/resources.js';
import { renderFailure } from '../../session/render-failure.js';
import type { Style } from '../../../terminal/style.js';
import { limitNames, limitTitles, showAmount, type Headroom } from '../../../protocol/call-limits.js';
import type { TrafficEntry } from '../../../contract/routes/calls.js';
import { authorFrame } from '../../session/author-frame.js';
import { renderLog, renderTraffic } from '../../session/live-lines.js';

export interface RecordedCall {
  entry: TrafficEntry & { failure?: FailureResource };
  request: Uint8Array | undefined;
  response: Uint8Array | undefined;
}

interface EntryView {
  style: Style;
  width: number;
  cwd: string;
}

export function renderEntry({ entry, request, response }: RecordedCall, view: EntryView): string {
  const { style } = view;
  const section = (title: string, lines: string[]): string[] =>
    lines.length > 0 ? ['', style.bold(title), ...lines] : [];
  const headers = (list: [string, string][] = []): string[] =>
    list.map(([name, value]) => `  ${style.dim(`${name}:`)} ${value}`);
  const body = (bytes: Uint8Array | undefined): string[] =>
    bytes?.length ? ['', ...renderBytes(bytes).map((line) => `  ${line}`)] : [];
  const json = (value: unknown): string[] =>
    value === undefined
      ? []
      : JSON.stringify(value, undefined, 2)
          .split('\n')
          .map((line) => `  ${line}`);
  const frameAt = (stack: string): string[] => authorFrame(stack, view);

  return [
    renderTraffic({ ...entry, logs: [], outbound: [], near: [], ...(entry.failure && { error: '' }) }, view),
    style.dim(entry.id),
    ...(entry.failure ? ['', ...renderFailure(entry.failure, view)] : []),
    ...section(
      'Request',
      entry.request
        ? [
            `  ${entry.request.method} ${entry.request.url}`,
            ...headers(entry.request.headers),
            ...body(request),
          ]
        : [],
    ),
    ...section('Event', json(entry.event)),
    ...section('Environment', json(entry.environment)),
    ...section(
      'Answer',
      entry.response
        ? [`  ${entry.response.status}`, ...headers(entry.response.headers), ...body(response)]
        : [],
    ),
    ...section(
      'Warnings',
      (entry.warnings ?? []).map(({ message, help }) => `  ${message} ${help}`),
    ),
    ...section('Limits', renderHeadroom(entry.headroom, style)),
    ...section(
      'Logs',
      entry.logs.flatMap((line) => renderLog(line, { ...view, frameAt })),
    ),
    ...section(
      'Outbound calls',
      entry.outbound.map(
        ({ method, url, status, error, durationMs }) =>
          `  ${method} ${url}  ${error ?? status}  ${Math.round(durationMs)} ms`,
      ),
    ),
  ].join('\n');
}

function renderHeadroom(headroom: Headroom = {}, style: Style): string[] {
  return limitNames.flatMap((name) => {
    const use = headroom[name];
    if (!use) return [];
    const { used, limit, near } = use;
    const amount = showAmount(name, used) + (limit === undefined ? '' : ` of ${showAmount(name, limit)}`);
    return [`  ${limitTitles[name].padEnd(17)}  ${near ? style.yellow(amount) : amount}`];
  });
}

const longest = 64 * 1024;
const rowLength = 16;
const hexLongest = 512;

/** Text as it is, JSON indented, anything else in hexadecimal; what is long is cut, and said to be. */
function renderBytes(bytes: Uint8Array): string[] {
  const text = decode(bytes.subarray(0, longest));
  const shown = text === undefined ? hexLongest : longest;
  const rest = bytes.length > shown ? [`… ${bytes.length - shown} bytes more`] : [];
  return [...(text === undefined ? hexRows(bytes.subarray(0, hexLongest)) : indent(text)), ...rest];
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    if (bytes.some((byte) => byte < 0x09)) return undefined;
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function indent(text: string): string[] {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).split('\n');
  } catch {
    return text.split(/\r?\n/);
  }
}

function hexRows(bytes: Uint8Array): string[] {
  const rows = Array.from({ length: Math.ceil(bytes.length / rowLength) }, (_, row) =>
    bytes.subarray(row * rowLength, (row + 1) * rowLength),
  );
  return rows.map((row, index) => {
    const offset = (index * rowLength).toString(16).padStart(6, '0');
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(row, (byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.',
    ).join('');
    return `${offset}  ${hex.padEnd(rowLength * 3 - 1)}  ${text}`;
  });
}
