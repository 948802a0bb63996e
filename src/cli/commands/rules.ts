import { severityPaint, wrapText } from '../../diagnostics/index.js';
import { rules as manifestRules } from '../../manifest/index.js';
import { defineCommand, fine } from '../command.js';

export const rules = defineCommand({
  name: 'rules',
  summary: 'list every rule with its severity',
  examples: [
    { command: 'platform rules', does: 'as a table' },
    { command: 'platform rules --json', does: 'for scripts' },
  ],
  async run(context) {
    const { style, width } = context;
    const sorted = manifestRules.toSorted((a, b) => (a.code < b.code ? -1 : 1));
    if (context.json) {
      context.emit({ rules: sorted.map(({ code, severity, summary }) => ({ code, severity, summary })) });
      return fine;
    }
    const column = Math.max(...sorted.map(({ code }) => code.length));
    const room = Math.max(30, width - column - 11);
    for (const { code, severity, summary } of sorted) {
      const [first = '', ...rest] = wrapText(summary, room);
      const paint = severityPaint(style, severity);
      context.print(`${code.padEnd(column)}  ${paint(severity.padEnd(7))}  ${first}`);
      for (const line of rest) context.print(`${' '.repeat(column + 11)}${line}`);
    }
    context.note(`\n${sorted.length} rules. "platform explain <code>" tells all about one.`);
    return fine;
  },
});
