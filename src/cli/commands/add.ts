import { paintDiff } from '../../terminal/paint-diff.js';
import { propertyTypes } from '../../protocol/integration.js';
import type { Piece } from '../../scaffold/index.js';
import {
  defineCommand,
  fine,
  type CommandContext,
  type CommandSpec,
  type Outcome,
  type OptionSpecs,
} from '../context/command.js';

type AddOptions = Omit<Extract<Piece, { kind: 'configuration' }>, 'kind' | 'name'> & { dryRun?: boolean };

const dryRun = { '--dry-run': 'show the diff without writing anything' };
const words: OptionSpecs = {
  '--title <title>': 'display title (default: derived from the name)',
  '--description <text>': 'one-sentence description',
};

const piece = (
  spec: Pick<CommandSpec, 'name' | 'summary' | 'arguments' | 'options' | 'examples'>,
  toPiece: (name: string, options: Omit<AddOptions, 'dryRun'>) => Piece,
): CommandSpec =>
  defineCommand<AddOptions>({
    ...spec,
    options: { ...spec.options, ...dryRun },
    run: (context, [name = ''], { dryRun = false, ...options }) =>
      runAdd(context, toPiece(name, options), dryRun),
  });

export const add = defineCommand({
  name: 'add',
  summary: 'add a component, an event handler, OAuth, a scope, a secret or a configuration property',
  description:
    "Add a source file, a manifest entry and a test to the integration in this folder. Keeps the manifest's comments and order.",
  subcommands: [
    piece(
      {
        name: 'component',
        summary: 'add a block and its component',
        arguments: { '<name>': 'component id, such as status-card' },
        options: words,
        examples: {
          'platform add component status-card': 'add its source file, manifest entry and test',
          'platform add component status-card --title "Service status"': 'set its display title',
        },
      },
      (name, { title, description }) => ({ kind: 'component', name, ...given({ title, description }) }),
    ),
    piece(
      {
        name: 'event',
        summary: 'add an event handler',
        arguments: { '<type>': 'event type, such as space_content_updated' },
        examples: {
          'platform add event site_view': 'add a handler, its scope and a test',
          'platform add event site_view --dry-run': 'show the changes without writing them',
        },
      },
      (name) => ({ kind: 'event', name }),
    ),
    piece(
      {
        name: 'oauth',
        summary: 'add a button that connects an account on another service',
        examples: {
          'platform add oauth': 'add a button, a callback, secrets and a test',
          'platform add oauth --dry-run': 'show the changes without writing them',
        },
      },
      () => ({ kind: 'oauth' }),
    ),
    piece(
      {
        name: 'scope',
        summary: 'request a scope',
        arguments: { '<name>': 'scope, such as space:content:read' },
        examples: {
          'platform add scope space:content:read': 'add it to the manifest',
          'platform add scope space:content:read --dry-run': 'show the change without writing it',
        },
      },
      (name) => ({ kind: 'scope', name }),
    ),
    piece(
      {
        name: 'secret',
        summary: 'declare a secret',
        arguments: { '<name>': 'environment variable, such as API_KEY' },
        examples: {
          'platform add secret API_KEY': 'add it to the manifest, .env and .env.example',
          'platform add secret API_KEY --dry-run': 'show the changes without writing them',
        },
      },
      (name) => ({ kind: 'secret', name }),
    ),
    piece(
      {
        name: 'configuration',
        summary: 'add a configuration property',
        arguments: { '<name>': 'property name, such as channel' },
        options: {
          '--type <type>': {
            description: 'property type (default: string)',
            choices: propertyTypes,
          },
          '--section <section>': {
            description:
              'whether the property is set once for the installation or for each site (default: account)',
            choices: ['account', 'site'],
          },
          '--enum <values>': 'values to choose from, separated by commas',
          '--completion-url <path>': 'endpoint of the script that returns the values to choose from',
          '--callback-url <path>': 'endpoint of the script that the button opens, such as /oauth',
          '--required': 'keep the installation pending until the property is set',
          ...words,
        },
        examples: {
          'platform add configuration channel --required': 'add a required string property',
          'platform add configuration limit --type number --section site':
            'add a number property that is set for each site',
          'platform add configuration mode --enum fast,exact':
            'add a property with two values to choose from',
        },
      },
      (name, options) => ({ kind: 'configuration', name, ...options }),
    ),
  ],
  examples: {
    'platform add component status-card': 'add a block and its component',
    'platform add event space_view --dry-run': 'show what a new handler would change',
  },
});

export async function runAdd(context: CommandContext, piece: Piece, dryRun: boolean): Promise<Outcome> {
  const { add: addPiece, renderPoints } = await import('../../scaffold/index.js');
  const { findOneManifest } = await import('../../manifest/index.js');
  const { eventTypes } = await import('../../protocol/sample-events.js');
  const { scopeOfEvent, scopes } = await import('../../protocol/scopes.js');
  const file = findOneManifest(undefined, context.cwd);
  const { changes, byHand, changed, diff } = addPiece(piece, {
    file,
    dryRun,
    env: context.io.env,
    scopes,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    events: eventTypes
      .filter((type) => !withKeysOfTheirOwn.test(type))
      .map((type) => ({ type, ...given({ scope: scopeOfEvent(type) }) })),
  });
  if (context.json) {
    context.emit({ changes: changes.map(({ path, change }) => ({ path, change })), byHand, changed, diff });
    return fine;
  }
  if (diff !== '' && (dryRun || changed)) context.print(paintDiff(diff, context.style));
  if (!dryRun)
    for (const { path, change } of changes)
      context.print(`${change === 'created' ? 'Created' : 'Changed'} ${path}`);
  if (changed?.length) context.print(`\nWhat has changed:\n${renderPoints(changed, context.width)}`);
  if (byHand.length > 0) context.print(`\nTo do by hand:\n${renderPoints(byHand, context.width)}`);
  if (changed && diff + byHand.join('') === '') context.print('This project needs no changes.');
  else if (changed && dryRun && diff !== '')
    context.note('\nTo write these changes, run: platform upgrade --write');
  return fine;
}

/** Events with their own keys in the definition, outside `events`. */
const withKeysOfTheirOwn = /^(fetch.*|task|ui_render|content_compute_.*)$/;

const given = <T extends object>(options: T): { [Key in keyof T]?: NonNullable<T[Key]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: NonNullable<T[Key]>;
  };
