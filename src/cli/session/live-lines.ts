import type { Style } from '../../terminal/style.js';
import { wrapText } from '../../terminal/wrap-text.js';
import type { EmulatorEvent } from '../../emulator/live/emulator-event.js';
import { paintOutcome } from './outcome-color.js';
import { deliveryReason } from '../../base/text/delivery-reason.js';
import { locationOf } from '../../base/text/redirect-location.js';
import { belowEndpoint } from '../../base/text/below-endpoint.js';
import { clockTime, fit, nameOfRender } from './call-words.js';
import { renderSourceFrame } from './render-failure.js';
import { internalError } from '../../protocol/exposable-error.js';
import { foldStack, readThrownError } from '../../base/text/thrown-error.js';
import { describeUse, type LimitUse } from '../../protocol/call-limits.js';
import type { LogLine, OutboundCall } from '../../protocol/log-and-outbound-types.js';
import type { CallRecord } from '../../contract/routes/calls.js';

export interface LiveView {
  style: Style;
  width: number;
  wrapAt: number;
}

const indent = ' '.repeat(10);

/** A call, as reported live or as stored in the log. */
export type FinishedCall = Omit<CallRecord, 'severity' | 'reason' | 'at'> &
  Partial<Pick<CallRecord, 'severity'>>;

/** Renders one line for each request or event, with its logs and outbound requests indented below it. */
export function renderFinishedCall(entry: FinishedCall, view: LiveView): string {
  const { style } = view;
  const { outcome } = entry;
  const lines = [
    `${style.dim(clockTime(entry.time))}  ${renderCause(entry, view)}  ${renderOutcome(entry, style)}`,
    ...renderRedirect(entry.response && locationOf(entry.response), style),
    ...entry.outbound.map((call) => `${indent}${renderOutbound(call, style)}`),
    ...renderNear(entry.near, style),
    ...entry.logs
      .filter(({ text }) => !(outcome === 'no-handler' && noHandler.test(text)))
      .flatMap((line) => renderLog(line, view)),
  ];
  if (entry.error && !isLogged(entry)) {
    lines.push(...renderLog({ level: 'error', text: entry.error }, view));
  }
  return lines.join('\n');
}

export function renderLog(
  { level, text, frame }: Pick<LogLine, 'level' | 'text' | 'frame'>,
  { style, width, wrapAt }: LiveView,
  margin = indent,
): string[] {
  const paint = { error: style.red, warn: style.yellow, info: style.dim, debug: style.dim }[level];
  const [{ text: first } = { text: '' }, ...rest] = foldStack(text.trimEnd());
  const hanging = (line: string): string =>
    wrapText(line, wrapAt - indent.length - 6).join(`\n${indent}      `);
  const lines = [
    `${margin}${paint(level.padEnd(5))} ${hanging(first)}`,
    ...rest.map((line) => `${indent}      ${line.folded ? style.dim(line.text) : hanging(line.text)}`),
  ];
  const { position } = readThrownError(text);
  if (!frame || !position) return lines;
  const shown = renderSourceFrame(frame, position, { style, width: width - 18 });
  return [...lines, ...shown.map((line) => `${indent}      ${line}`)];
}

export const renderRedirect = (location: string | undefined, style: Style): string[] =>
  location === undefined ? [] : [`${indent}${style.dim('to')} ${location}`];

export const renderNear = (near: readonly LimitUse[] = [], style: Style): string[] =>
  near.map((use) => `${indent}${style.yellow('limit')} ${describeUse(use)}`);

/** Some runtimes also log this as an error with a stack. */
const noHandler = /^.*\bdoes not handle "/;

/** Whether the script logged an error that the response does not show. */
const isLogged = ({ error = '', logs }: FinishedCall): boolean =>
  logs.some(({ level, text }) => text.includes(error) || (error === internalError && level === 'error'));

/** Renders a line logged outside of calls or after a call's response. */
export const renderLate = (line: LogLine, view: LiveView): string =>
  renderLog(line, view, `${view.style.dim(clockTime(line.time))}  `).join('\n');

/** Renders any other platform event as one line. Returns undefined for an event that is already shown with its call. */
export function renderNews(event: EmulatorEvent, { style, width }: LiveView): string | undefined {
  switch (event.type) {
    case 'installation': {
      const target = event.site ?? event.space;
      return `${indent}${style.cyan(event.change)} ${event.installation}${target ? ` in ${target}` : ''}`;
    }
    case 'delivery': {
      const { id, state, attempts } = event.delivery;
      const { delivery, attempt } = event;
      const ended = attempt ? attempt.startedAt + attempt.durationMs : 0;
      const why = deliveryReason({ delivery, attempt }, ended);
      const line = `${indent}${style.cyan('webhook')} ${id} ${state}${attempts > 0 ? `, attempt ${attempts}` : ''}`;
      const below = [
        ...(why === undefined ? [] : [why]),
        ...(state === 'failed' ? [`next: platform inspect ${id}`] : []),
      ];
      return [line, ...below.map((text) => `${indent}        ${style.dim(text)}`)].join('\n');
    }
    case 'warning': {
      const lines = wrapText(event.message, width - indent.length - 8);
      return `${indent}${style.yellow('warning')} ${lines.join(`\n${indent}        `)}`;
    }
    case 'outbound':
      return event.late
        ? `${style.dim(clockTime(event.request.time))}  ${renderOutbound(event.request, style)}`
        : undefined;
    case 'state-loaded':
      return `${indent}${style.cyan('state')} ${event.name} loaded`;
    default:
      return undefined;
  }
}

function renderCause({ event, request }: FinishedCall, { style, width }: LiveView): string {
  const room = Math.max(24, Math.min(width, 100) - 10 - 24);
  if (event?.type === 'ui_render') {
    const drawn = nameOfRender({ component: event.componentId, action: event.action?.action });
    return `${style.bold(event.type)} ${fit(drawn, room - event.type.length - 1)}`;
  }
  if (!request) return style.bold(fit(event?.type ?? 'event', room));
  return `${style.bold(request.method.padEnd(4))} ${fit(belowEndpoint(request.url), room - 5)}`;
}

function renderOutcome(
  { outcome, severity, response, durationMs, version }: FinishedCall,
  style: Style,
): string {
  const words = paintOutcome({ outcome, severity, status: response?.status }, style);
  return `${words} ${style.dim(`${durationMs === undefined ? '' : `${Math.round(durationMs)} ms  `}v${version}`)}`;
}

const renderOutbound = ({ method, url, status, error, durationMs }: OutboundCall, style: Style): string =>
  `${style.blue('fetch')} ${method} ${url} ${error ? style.red(error) : status} ${style.dim(`${Math.round(durationMs)} ms`)}`;
