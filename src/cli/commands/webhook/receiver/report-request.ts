import { visibleLines } from '../../../../base/escape-control-characters.js';
import { wrapText } from '../../../../terminal/wrap-text.js';
import type { CommandContext } from '../../../context/command.js';

export interface Received {
  event?: { eventId: string; type: string };
  bytes: number;
  valid: boolean;
  explanation: string;
  /** The time since the request was signed, if its header has a timestamp. Negative if the timestamp is in the future. */
  ageSeconds?: number;
  duplicate: boolean;
}

export type Report =
  | { number: number; dropped: true }
  | { status: number; reason: string }
  | { number: number; method: string; status: number; received?: Received };

const indent = '     ';

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
  const { event, bytes, valid, explanation, ageSeconds, duplicate } = received;
  const what = event ? `${style.bold(shown(event.type))} ${style.dim(shown(event.eventId))}` : 'no event';
  const again = duplicate ? style.yellow('  duplicate') : '';
  const signature = valid ? style.green('valid signature') : style.red('invalid signature');
  const head = `${number}  ${verdict}  ${what}${again}  ${signature}${renderAge(ageSeconds)}  ${style.dim(`${bytes} B`)}`;
  print([head, ...(valid ? [] : indented(explanation))].join('\n'));
}

function renderAge(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return seconds < 0 ? `, ${-seconds} s in the future` : `, ${seconds} s old`;
}

/** Requests are untrusted and may contain terminal control characters. */
const shown = (text: string): string => visibleLines(text.slice(0, 200)).join(' ');
