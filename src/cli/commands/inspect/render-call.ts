import { renderFailure } from '../../session/render-failure.js';
import { renderLikelyCause } from '../../session/settled-calls.js';
import type { Style } from '../../../terminal/style.js';
import { describeCause } from '../../../base/text/describe-cause.js';
import {
  describeMemory,
  limitNames,
  limitTitles,
  showAmount,
  type Headroom,
} from '../../../protocol/call-limits.js';
import type { OutboundDetails } from '../../../contract/basics/outbound.js';
import type { CallRecord } from '../../../contract/routes/calls.js';
import type { RecordedOutbound } from '../../session/read-outbound.js';
import { missingScopeWarning } from '../../../protocol/scopes.js';
import { renderLog, renderFinishedCall } from '../../session/live-lines.js';
import { clockTime } from '../../session/call-words.js';

interface CallWithBodies {
  call: Omit<CallRecord, 'outbound'> & { outbound: RecordedOutbound[] };
  request: Uint8Array | undefined;
  response: Uint8Array | undefined;
}

interface EntryView {
  style: Style;
  width: number;
  wrapAt: number;
}

export function renderEntry(
  { call, request, response }: CallWithBodies,
  view: EntryView,
  full = false,
): string {
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

  return [
    renderFinishedCall(
      { ...call, logs: [], outbound: [], near: [], ...(call.failure && { error: '' }) },
      view,
    ),
    style.dim(call.id),
    ...(call.failure ? ['', ...renderFailure(call.failure, view)] : []),
    ...renderLikelyCause(call, view.width),
    ...section(
      'Request',
      call.request
        ? [`  ${call.request.method} ${call.request.url}`, ...headers(call.request.headers), ...body(request)]
        : [],
    ),
    ...section('Event', json(call.event)),
    ...section(
      'Response',
      call.response
        ? [`  ${call.response.status}`, ...headers(call.response.headers), ...body(response)]
        : [],
    ),
    ...section('Warnings', [
      ...(call.event && call.missingScope !== undefined
        ? [`  ${missingScopeWarning(call.event.type, call.missingScope)}`]
        : []),
      ...(call.warnings ?? []).map(({ message, help }) => `  ${message} ${help}`),
    ]),
    ...section('Limits', renderHeadroom(call.headroom, style)),
    ...section('Memory', call.memory ? [`  ${describeMemory(call.memory)}`] : []),
    ...section(
      'Logs',
      call.logs.flatMap((line) => renderLog(line, view)),
    ),
    ...section(
      'Outbound requests',
      call.outbound.flatMap((sent) => renderOutbound(sent, style, full)),
    ),
    ...section('Background work', renderBackground(call)),
    ...section('Related', renderRelated(call)),
    ...section('Environment', full ? json(call.environment) : []),
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

type Related = Pick<CallRecord, 'time' | 'background' | 'cause' | 'effects'>;

const renderBackground = ({ time, background = [] }: Related): string[] =>
  background.map(({ time: began, durationMs, error }) => {
    const outcome = durationMs === undefined ? 'not settled' : `${durationMs} ms`;
    return `  +${Math.max(0, began - time)} ms  ${outcome}${error === undefined ? '' : `  rejected: ${error}`}`;
  });

const renderRelated = ({ cause, effects = [] }: Related): string[] => [
  ...(cause ? [`  ${describeCause(cause)}${cause.call === undefined ? '' : ` ${cause.call}`}`] : []),
  ...effects.map((effect) => `  ${clockTime(effect.time)}  ${effectText(effect)}`),
];

function effectText({ type, id = '', call, title }: NonNullable<CallRecord['effects']>[number]): string {
  switch (type) {
    case 'replay':
      return `replayed as ${call}`;
    case 'setup':
      return `changed the installation, and ${call} handled the setup event`;
    case 'render':
      return `next action: ${call}`;
    case 'delivery':
      return `webhook delivery ${id}`;
    case 'task':
      return call === undefined ? `task ${title}, queued as ${id}` : `task ${title} ran as ${call}`;
  }
}

function renderOutbound(sent: RecordedOutbound, style: Style, full: boolean): string[] {
  const { method, url, status, error, aborted, finalUrl, durationMs, request, response, unread, rerouted } =
    sent;
  const problem = error !== undefined && style.red(aborted ? `aborted by the script: ${error}` : error);
  const outcome = problem ? `${status === 0 ? '' : `${status}, then `}${problem}` : status;
  return [
    `  ${method} ${url}  ${outcome}  ${Math.round(durationMs)} ms`,
    ...(finalUrl === undefined ? [] : [`    ${style.dim(`redirected to ${finalUrl}`)}`]),
    ...(rerouted === undefined ? [] : [`    ${style.dim(`outbound in platform.dev.yaml: ${rerouted}`)}`]),
    ...(request ? renderMessage('request', request, style, full) : []),
    ...(response ? renderMessage('response', response, style, full) : []),
    ...(unread ? [`    ${style.dim("The script didn't read the body of the response.")}`] : []),
  ];
}

/** A script often reads the same large lists in each call. */
const mostLines = 20;

function renderMessage(
  name: string,
  { headers, body }: OutboundDetails['request'],
  style: Style,
  full: boolean,
): string[] {
  if (headers.length === 0 && !body) return [];
  const lines = body ? renderBytes(Buffer.from(body.content, body.encoding)) : [];
  const hidden = full ? 0 : lines.splice(mostLines).length;
  return [
    `    ${style.dim(name)}`,
    ...headers.map(([header, value]) => `      ${style.dim(`${header}:`)} ${value}`),
    ...lines.map((line) => `      ${line}`),
    ...(hidden > 0 ? [`      ${style.dim(`… ${hidden} more lines (to see them, use --full)`)}`] : []),
    ...(body?.cut ? [`      ${style.dim('Only the beginning of the body was recorded.')}`] : []),
  ];
}

const longest = 64 * 1024;
const rowLength = 16;
const hexLongest = 512;

/** Renders text unchanged, JSON with indentation, and everything else in hexadecimal. Long bodies are truncated, with a note. */
function renderBytes(bytes: Uint8Array): string[] {
  const text = decode(bytes.subarray(0, longest));
  const shown = text === undefined ? hexLongest : longest;
  const rest = bytes.length > shown ? [`… ${bytes.length - shown} more bytes`] : [];
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
