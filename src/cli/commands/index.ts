import type { CommandSpec } from '../command.js';
import { completion } from './completion.js';
import { init } from './init.js';

/** In the order in which `--help` lists them. */
export const commands: readonly CommandSpec[] = [init, completion];
