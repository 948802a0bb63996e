import { Help } from 'commander';
import type { CommandSpec } from './command.js';

/** Below it a column of descriptions is harder to read than lines of their own. */
const narrowColumn = 32;
const indent = 6;

/** How commander lays out a term and its description: side by side, or one below the other. */
export const helpLayout = {
  minWidthToWrap: 20,
  formatItem(term: string, termWidth: number, description: string, helper: Help): string {
    const width = helper.helpWidth ?? 80;
    if (width - termWidth - 4 >= narrowColumn) {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    }
    const lines = helper.boxWrap(description, width - indent);
    return `  ${term}\n${lines.replaceAll(/^/gm, ' '.repeat(indent))}`;
  },
};

export function renderExamples(title: string, examples: CommandSpec['examples'], width: number): string {
  const helper = Object.assign(new Help(), helpLayout, { helpWidth: width });
  const column = Math.max(...examples.map(({ command }) => command.length));
  const lines = examples.map(({ command, does }) => helper.formatItem(command, column, does, helper));
  return `\n${title}:\n${lines.join('\n')}`;
}
