import type { CommandSpec } from '../command.js';
import { completion } from './completion.js';
import { dev } from './dev.js';
import { explain } from './explain.js';
import { init } from './init.js';
import { rules } from './rules.js';
import { schema } from './schema.js';
import { validate } from './validate.js';

/** In the order in which `--help` lists them. */
export const commands: readonly CommandSpec[] = [init, dev, validate, explain, rules, schema, completion];
