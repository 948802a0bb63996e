import { nextCommand, type Diagnostic } from '../../diagnostics/index.js';
import type { CommandContext } from '../context/command.js';

/** If a command can help with the problems, prints it at the end of the text output. */
export function printNextCommand(context: CommandContext, diagnostics: readonly Diagnostic[]): void {
  const { cwd, io, quiet } = context;
  const next = nextCommand(diagnostics, cwd);
  if (next !== undefined && !io.stdout.isTTY && !quiet) context.print(`next: ${next}`);
}
