import { severityPaint } from '../../diagnostics/index.js';
import { wrapText } from '../../terminal/wrap-text.js';
import { defineCommand, fine } from '../context/command.js';

export const rules = defineCommand({
  name: 'rules',
  summary: 'list all rules and their severities',
  examples: { 'platform rules': 'list all rules', 'platform rules --json': 'print the result as JSON' },
  async run(context) {
    const { ruleRegistry } = await import('../context/rule-registry.js');
    const { style, width } = context;
    if (context.json) {
      context.emit({
        rules: ruleRegistry.map(({ code, severity, summary }) => ({ code, severity, summary })),
      });
      return fine;
    }
    const column = Math.max(...ruleRegistry.map(({ code }) => code.length));
    const room = Math.max(30, width - column - 11);
    for (const { code, severity, summary } of ruleRegistry) {
      const [first = '', ...rest] = wrapText(summary, room);
      const paint = severityPaint(style, severity);
      context.print(`${code.padEnd(column)}  ${paint(severity.padEnd(7))}  ${first}`);
      for (const line of rest) context.print(`${' '.repeat(column + 11)}${line}`);
    }
    context.note(`\n${ruleRegistry.length} rules. For details: platform explain <code>`);
    return fine;
  },
});
