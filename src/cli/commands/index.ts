import type { CommandSpec } from '../command.js';
import { add } from './add.js';
import { completion } from './completion.js';
import { config } from './config.js';
import { dev } from './dev.js';
import { explain } from './explain.js';
import { init } from './init.js';
import { inspect } from './inspect.js';
import { install, pause, resume, uninstall } from './installation.js';
import { logs } from './logs.js';
import { open } from './open.js';
import { publishCheck } from './publish-check.js';
import { render } from './render.js';
import { replay } from './replay.js';
import { rules } from './rules.js';
import { schema } from './schema.js';
import { state } from './state.js';
import { trigger } from './trigger.js';
import { types } from './types.js';
import { validate } from './validate.js';
import { webhook } from './webhook.js';

const projectCommands = [init, dev, validate, add, types, publishCheck];
const sessionCommands = [
  open,
  trigger,
  render,
  config,
  install,
  pause,
  resume,
  uninstall,
  logs,
  inspect,
  replay,
  state,
  webhook,
];
const referenceCommands = [explain, rules, schema, completion];

/** In the order in which `--help` lists them. */
export const commands: readonly CommandSpec[] = [
  ...projectCommands,
  ...sessionCommands,
  ...referenceCommands,
];
