import { inGroups, type ProgramSpec } from '../context/command.js';
import { add } from './add.js';
import { agent } from './agent/agent.js';
import { clock } from './clock.js';
import { completionOf } from './completion/completion.js';
import { config } from './config/config.js';
import { dev } from './dev/dev.js';
import { docs } from './docs/docs.js';
import { explain } from './explain.js';
import { init } from './init.js';
import { inspect } from './inspect/inspect.js';
import { install, pause, resume, uninstall } from './installation.js';
import { logs } from './logs/logs.js';
import { mcp } from './mcp/mcp.js';
import { open } from './open/open.js';
import { publishCheck } from './publish-check/publish-check.js';
import { record } from './record/record.js';
import { render } from './render/render.js';
import { replay } from './replay/replay.js';
import { rules } from './rules.js';
import { schema } from './schema.js';
import { site } from './site/site.js';
import { state } from './state.js';
import { stop } from './stop.js';
import { tasks } from './tasks.js';
import { trigger } from './trigger/trigger.js';
import { types } from './types.js';
import { upgrade } from './upgrade.js';
import { validate } from './validate/validate.js';
import { webhook } from './webhook/webhook.js';

export const commands = inGroups({
  Create: [init, add, types, upgrade],
  Check: [validate, publishCheck, site, explain, rules, schema, docs],
  Run: [dev, open],
  Drive: [
    trigger,
    render,
    config,
    install,
    uninstall,
    pause,
    resume,
    logs,
    inspect,
    record,
    replay,
    stop,
    tasks,
    clock,
    state,
  ],
  Webhooks: [webhook],
  Agents: [agent, mcp],
  Setup: [completionOf('platform')],
});

export const platform: ProgramSpec = {
  name: 'platform',
  description: 'Build, run and check integrations, offline.',
  examples: {
    'platform init': 'create an integration step by step',
    'platform dev': 'run the integration in this folder',
    'platform <command> --help': 'show examples and options for a command',
  },
  commands,
};
