import { visible } from '../../../base/escape-control-characters.js';
import type { Recorded } from '../../../recordings/index.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import type { CommandContext } from '../../context/command.js';

/** Prints what was written, what was replaced, and what the user must check. */
export function printRecorded(context: CommandContext, file: string, { recording, report }: Recorded): void {
  if (context.json) return context.emit({ file, calls: recording.calls.map(({ name }) => name), ...report });
  const { style } = context;
  const { replaced, suspects, signed, unsigned, leftOut, changed, unstable, emails, addresses } = report;
  const list = (title: string, lines: readonly string[], paint = style.dim): string[] =>
    lines.length === 0
      ? []
      : [
          title,
          ...lines
            .flatMap((line) => wrapText(`  ${visible(line)}`, context.width))
            .map((line) => paint(line)),
        ];
  const calls = recording.calls.length === 1 ? '1 call' : `${recording.calls.length} calls`;
  const personal = [
    ...(emails > 0 ? [`${emails} email ${emails === 1 ? 'address' : 'addresses'}`] : []),
    ...(addresses > 0 ? [`${addresses} IP ${addresses === 1 ? 'address' : 'addresses'}`] : []),
  ].join(' and ');
  context.print(
    [
      `Wrote ${calls} to ${visible(file)}.`,
      ...list('Replaced with made-up values:', replaced),
      ...list(
        'Kept, although it looks like a secret. Replace it with --redact <path> if it is one:',
        suspects,
        style.yellow,
      ),
      ...list(
        'Signed again:',
        signed.map(({ call, what, secret }) => `${call}: ${what}, with ${secret}`),
      ),
      ...list('Left out:', leftOut),
      ...list(
        'Not signed again, because no known secret matches:',
        unsigned.map(({ call, what }) => `${call}: ${what}`),
        style.yellow,
      ),
      ...list(
        'Different from the log:',
        changed.map(
          ({ call, before, after, requests: [sent, sends] }) =>
            `${call}: responded with ${before} in the log, but with ${after ?? 'nothing'} in the replay` +
            (sent === sends ? '' : `; sent ${sent} requests, but ${sends} in the replay`),
        ),
        style.yellow,
      ),
      ...list(
        'Not the same in every replay:',
        unstable.map(({ call, why }) => `${call}: ${why}`),
        style.yellow,
      ),
      ...(personal === ''
        ? []
        : [style.yellow(`It contains ${personal}. Replace them with --redact <path> if they are real.`)]),
      'Review the file before you share it. Secrets that only you can recognize are still in it.',
      `Replay it with: platform replay ${visible(file)}`,
    ].join('\n'),
  );
}
