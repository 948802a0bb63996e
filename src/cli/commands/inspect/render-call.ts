import type { Style } from '../../../terminal/style.js';
import type { TrafficEntry } from '../../../store/calls/call-log.js';
import { authorFrame } from '../../session/author-frame.js';
import { renderLog, renderTraffic } from '../../session/live-lines.js';
import { renderBytes } from './render-bytes.js';

export interface RecordedCall {
  entry: TrafficEntry;
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
    renderTraffic({ ...entry, logs: [], outbound: [] }, view),
    style.dim(entry.id),
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
