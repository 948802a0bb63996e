import { basename } from 'node:path';
import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import {
  changedFact,
  describeRecorded,
  differsFromLog,
  type RecordedFact,
  type SavedRecording,
} from '../../../recordings/index.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import type { CommandContext } from '../../context/command.js';

export function printRecorded(context: CommandContext, saved: SavedRecording): void {
  const { recording, report } = saved;
  const file = relativePath(context.cwd, saved.file);
  if (context.json)
    return context.emit({
      file,
      written: saved.written,
      calls: recording.calls.map(({ name }) => name),
      ...report,
    });
  if (!saved.written) {
    const { message, hint = '' } = differsFromLog(saved);
    return context.print([message, ...renderFact(changedFact(report), context), hint].join('\n'));
  }
  const calls = recording.calls.length === 1 ? '1 call' : `${recording.calls.length} calls`;
  context.print(
    [
      `Wrote ${calls} to ${visible(file)}.`,
      ...describeRecorded(saved).flatMap((fact) => renderFact(fact, context)),
      'Review the file before you share it. It may still contain secrets that only you can recognize.',
      `Replay it with: platform replay ${visible(file)}`,
      `To replay it in your tests, add: test('${basename(visible(file), '.json')}', () => replayRecording('${visible(file)}'));`,
    ].join('\n'),
  );
}

function renderFact({ title, lines, warn }: RecordedFact, { style, width }: CommandContext): string[] {
  const paint = warn ? style.yellow : style.dim;
  if (lines.length === 0) return [paint(title)];
  return [
    title,
    ...lines.flatMap((line) => wrapText(`  ${visible(line)}`, width)).map((line) => paint(line)),
  ];
}
