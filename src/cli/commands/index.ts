import type { CommandSpec } from '../command.js';
import { completion } from './completion.js';

/** In the order in which `--help` lists them. */
export const commands: readonly CommandSpec[] = [completion];
