import { createProgressLine, type ProgressLine } from '../../terminal/progress-line.js';
import type { CommandContext } from '../command.js';

/** On the last line of a terminal's stderr. The command has to call `end` before it prints anything else. */
export const startProgress = ({ io, redraw }: CommandContext, interrupted: AbortSignal): ProgressLine =>
  createProgressLine({ redraw, columns: io.stderr.columns, clock: io.clock, interrupted });
