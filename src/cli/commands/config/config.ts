import { UserError } from '../../../base/user-error.js';
import { defineCommand, fine, type CommandContext, type Outcome } from '../../context/command.js';
import { connect } from '../../session/connect.js';
import { targetOf, targetOptions, type TargetOptions } from '../../session/target-options.js';
import { hintFor } from '../../session/response-hint.js';
import { readAssignments } from '../../session/read-arguments.js';
import { count } from '../../../diagnostics/index.js';
import { ownProperty } from '../../../base/own-property.js';
import type { Input } from '../../../contract/console-api.js';
import type { ConfigurationResource } from '../../../contract/routes/configuration.js';
import type { Style } from '../../../terminal/style.js';

const get = defineCommand<TargetOptions>({
  name: 'get',
  summary: 'print the configuration or one of its values',
  arguments: { '[name]': 'property name' },
  options: targetOptions,
  examples: {
    'platform config get': 'print all values and the status',
    'platform config get channel --site site_local': 'print one value for one site',
  },
  async run(context, [name], options) {
    const client = await connect(context);
    const answer = await client.call('GET /configuration', targetOf(options));
    if (name === undefined) return show(context, answer);
    const value = ownProperty(answer.configuration, name);
    const known = Object.keys(answer.section?.properties ?? {});
    if (value === undefined && !known.includes(name)) {
      const hint = hintFor({ code: 'no-properties', given: name, known });
      throw new UserError('unknown-property', `Unknown property: ${name}.`, hint);
    }
    if (value === undefined) {
      throw new UserError(
        'not-set',
        `${name} is not set.`,
        `Set it with: platform config set ${name}=<value>`,
      );
    }
    if (context.json) context.emit({ name, value });
    else context.print(typeof value === 'string' ? value : JSON.stringify(value));
    return fine;
  },
});

const set = defineCommand<TargetOptions>({
  name: 'set',
  summary: 'set properties and send the setup event',
  arguments: { '<name=value...>': 'values to set (parsed as JSON if possible, otherwise used as strings)' },
  options: targetOptions,
  examples: {
    'platform config set channel=general': 'set a single property',
    'platform config set limit=10 enabled=true': 'set several properties at the same time',
  },
  run: (context, assignments, options) => edit(context, options, { set: readAssignments(assignments) }),
});

const unset = defineCommand<TargetOptions>({
  name: 'unset',
  summary: 'clear properties and send the setup event',
  arguments: { '<names...>': 'property names' },
  options: targetOptions,
  examples: {
    'platform config unset channel': 'clear a single property',
    'platform config unset channel --space space_local': 'clear it for one space',
  },
  run: (context, names, options) => edit(context, options, { unset: names }),
});

export const config = defineCommand({
  name: 'config',
  summary: 'show or change the configuration of an installation',
  examples: {
    'platform config get': 'print all values and the status',
    'platform config set channel=general': 'set a single property',
  },
  subcommands: [get, set, unset],
});

async function edit(
  context: CommandContext,
  options: TargetOptions,
  change: Pick<Input<'PATCH /configuration'>, 'set' | 'unset'>,
): Promise<Outcome> {
  const { call } = await connect(context);
  const target = targetOf(options);
  await call('PATCH /configuration', { ...target, ...change });
  const answer = await call('GET /configuration', target);
  for (const [property, value] of Object.entries(change.set ?? {})) {
    const declared = ownProperty(answer.section?.properties ?? {}, property);
    if (declared?.type !== 'string' || declared.completion_url === undefined) continue;
    // A script may need a connection first, so a failure says nothing about the value.
    const options = await call('GET /options', { ...target, property }).catch(() => undefined);
    if (options?.every(({ id }) => id !== value))
      context.note(
        `${context.style.yellow('warning')} ${property}: ${JSON.stringify(value)} is not among the ${count(options.length, 'option')} that ${declared.completion_url} returns.`,
      );
  }
  return show(context, answer);
}

function show(context: CommandContext, answer: ConfigurationResource): Outcome {
  if (context.json) context.emit(answer);
  else context.print(renderConfiguration(answer, context.style));
  return fine;
}

/** Prints a line for each property that is declared in the manifest or has a value. */
function renderConfiguration(
  { target, status, configuration, section }: ConfigurationResource,
  style: Style,
): string {
  const { properties = {}, required = [] } = section ?? {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(configuration)])];
  const width = Math.max(0, ...names.map((name) => name.length));
  const where = Object.values(target).join(' / ');
  const head = `${style.bold(where)}  ${status === 'active' ? style.green(status) : style.yellow(status)}`;
  if (names.length === 0) return `${head}\n  The manifest declares no properties for this target.`;
  return [
    head,
    ...names.map((name) => {
      const value = ownProperty(configuration, name);
      const missing = required.includes(name) ? style.yellow('not set, required') : style.dim('not set');
      return `  ${name.padEnd(width)}  ${value === undefined ? missing : JSON.stringify(value)}`;
    }),
  ].join('\n');
}
