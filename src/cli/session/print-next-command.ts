import { nextCommand, type Diagnostic } from '../../diagnostics/index.js';
import type { CommandContext } from '../context/command.js';

/** Ends output that is printed as text with the command that helps with the problems, if there is one. */
export function printNextCommand(context: CommandContext, diagnostics: readonly Diagnostic[]): void {
  const { cwd, io, quiet } = context;
  const next = nextCommand(diagnostics, cwd);
  if (next !== undefined && !io.stdout.isTTY && !quiet) context.print(`next: ${next}`);
}
