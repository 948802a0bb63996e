import { visibleLines } from '../../../../base/escape-control-characters.js';
import { wrapText } from '../../../../terminal/wrap-text.js';
import type { CommandContext } from '../../../context/command.js';

export interface Received {
  event?: { eventId: string; type: string };
  bytes: number;
  valid: boolean;
  explanation: string;
  duplicate: boolean;
}

export type Report =
  | { number: number; dropped: true }
  | { status: number; reason: string }
  | { number: number; method: string; status: number; received?: Received };

const indent = '     ';

/** Describes a request and its response, either in one or two lines or as an object. */
export function report({ json, emit, print, style, width }: CommandContext, report: Report): void {
  const indented = (text: string): string[] =>
    wrapText(visibleLines(text).join(' '), width - indent.length).map((line) => indent + style.red(line));
  if ('dropped' in report) {
    if (json) emit({ type: 'dropped', number: report.number });
    else print(style.yellow(`${report.number}  dropped`));
    return;
  }
  if ('reason' in report) {
    const { status, reason } = report;
    if (json) emit({ type: 'rejected', status, reason });
    else print([`rejected  ${style.red(String(status))}`, ...indented(reason)].join('\n'));
    return;
  }
  const { number, method, status, received } = report;
  if (json) {
    const { explanation, ...rest } = received ?? { valid: true, explanation: '' };
    emit({
      type: 'request',
      number,
      method,
      status,
      ...(received && rest),
      ...(!rest.valid && { explanation }),
    });
    return;
  }
  const verdict = status < 300 ? style.green(String(status)) : style.red(String(status));
  if (!received) {
    print(`${number}  ${verdict}  ${method} is not POST`);
    return;
  }
  const { event, bytes, valid, explanation, duplicate } = received;
  const what = event ? `${style.bold(shown(event.type))} ${style.dim(shown(event.eventId))}` : 'no event';
  const again = duplicate ? style.yellow('  duplicate') : '';
  print(`${number}  ${verdict}  ${what}${again}  ${style.dim(`${bytes} B`)}`);
  if (valid) return;
  print(indented(`invalid signature: ${explanation}`).join('\n'));
}

/** Requests are untrusted and may contain terminal control characters. */
const shown = (text: string): string => visibleLines(text.slice(0, 200)).join(' ');
