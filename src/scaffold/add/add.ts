import { addOAuth } from './add-oauth.js';
import { addSecrets } from './add-secret.js';
import {
  type Addition,
  createFile,
  editEntry,
  layoutOf,
  toFileName,
  toVariable,
  toTypeName,
} from './addition.js';
import { changesOf, renderChanges, writeChanges, type FileChange } from './apply-addition.js';
import { openProject, alreadyThere, type ExistingProject } from './existing-project.js';
import { isReservedName } from '../../base/text/reserved-name.js';
import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue, type YamlValue } from '../../manifest/fix/insert-value.js';
import { toTitle } from '../init/check-answers.js';
import { addToCollection } from './register-in-source.js';
import { upgrade } from './upgrade.js';
import { nearest } from '../../base/did-you-mean.js';

export type Piece =
  | ({ kind: 'component' } & ComponentInput)
  | { kind: 'event'; name: string }
  | { kind: 'oauth' }
  | { kind: 'scope'; name: string }
  | { kind: 'secret'; name: string }
  | { kind: 'upgrade'; version: string }
  | ({ kind: 'configuration' } & ConfigurationInput);

export interface AddWorld {
  /** The path of the project's manifest. */
  file: string;
  env: Readonly<Record<string, string | undefined>>;
  events: readonly KnownEvent[];
  scopes: readonly string[];
  random(bytes: number): Uint8Array;
  dryRun: boolean;
}

export interface AddResult {
  changes: FileChange[];
  /** What the author must do next. */
  byHand: string[];
  /** What an upgrade rewrites. */
  changed?: string[];
  diff: string;
}

/** Adds something to an existing project. */
export function add(piece: Piece, world: AddWorld): AddResult {
  const project = openProject(world.file, world.env);
  const randomText = (): string => Buffer.from(world.random(16)).toString('hex');
  const addition = ((): Addition & Pick<AddResult, 'changed'> => {
    switch (piece.kind) {
      case 'component':
        return addComponent(project, piece);
      case 'event':
        return addEvent(project, piece.name, world.events);
      case 'oauth':
        return addOAuth(project, randomText);
      case 'scope':
        return addScope(project, piece.name, world.scopes);
      case 'secret':
        return addSecrets(project, [piece]);
      case 'configuration':
        return addConfiguration(project, piece);
      case 'upgrade':
        return upgrade(project, piece.version);
    }
  })();
  const { files, ...notes } = addition;
  const changes = changesOf(project, { files });
  if (!world.dryRun) writeChanges(project, changes);
  return { changes, ...notes, diff: renderChanges(changes) };
}

interface ComponentInput {
  name: string;
  title?: string;
  description?: string;
}

/** Reserved words, which cannot be used as variable names. */
const reserved =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

/** Adds a block: a component, its entry in the manifest, and a test that clicks its button. */
function addComponent(project: ExistingProject, input: ComponentInput): Addition {
  const {
    name: id,
    title = toTitle(toFileName(id)),
    description = `Inserts ${title.toLowerCase()}.`,
  } = input;
  const variable = toVariable(id);
  const file = toFileName(id);
  if (!/^[a-z]/i.test(variable) || reserved.test(variable) || isReservedName(file)) {
    throw new UserError(
      'bad-name',
      `A component cannot be called "${id}".`,
      'Use letters, digits and hyphens, starting with a letter, such as status-card. Words that JavaScript or Windows reserves, such as new and aux, are not allowed.',
    );
  }
  const { integration, text } = project.manifest;
  const former = integration.blocks.findIndex((block) => block.id === id);
  if (former >= 0) {
    const path = ['blocks', former, 'id'];
    throw alreadyThere(project, { code: 'block-exists', path, what: `a block ${id}` });
  }
  const { sources, entry } = layoutOf(project);
  const values = { id, variable, entry };
  const { language } = project;
  const { files, byHand } = editEntry(
    project,
    {
      change: (source) => addToCollection(source, 'components', '[]', variable),
      imports: { [variable]: `./${file}` },
    },
    `In the entry file, import ${variable} from ./${file} and add it to components in createIntegration().`,
  );
  return {
    files: new Map([
      ...files,
      [manifestFileName, insertValue(text, ['blocks', '-'], { id, title, description })],
      createFile(project, `${sources}/${file}.${language}x`, `component.${language}x`, values),
      createFile(project, `test/${file}.test.${language}`, `component.test.${language}`, values),
    ]),
    byHand,
  };
}

interface ConfigurationInput {
  name: string;
  title?: string;
  description?: string;
  type?: 'string' | 'number' | 'boolean' | 'button';
  section?: 'account' | 'site';
  required?: boolean;
  /** Values separated by commas. */
  enum?: string;
  completionUrl?: string;
  callbackUrl?: string;
}

function addConfiguration(project: ExistingProject, input: ConfigurationInput): Addition {
  const { name, section = 'account', required, description, completionUrl, callbackUrl } = input;
  const { type = callbackUrl === undefined ? 'string' : 'button', title = toTitle(toFileName(name)) } = input;
  const choices = input.enum
    ?.split(',')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '');
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new UserError(
      'bad-name',
      `A property cannot be called "${name}".`,
      'Use letters, digits and underscores, such as channel_name.',
    );
  }
  if (choices && completionUrl !== undefined)
    throw new UserError(
      'bad-property',
      '--enum and --completion-url both say where the values come from.',
      'Use --enum for a fixed list, or --completion-url for a list that the script supplies.',
    );
  if ((choices || completionUrl !== undefined) && type !== 'string')
    throw new UserError(
      'bad-property',
      `A ${type} has no values to choose from.`,
      'Leave out --type, or --enum and --completion-url.',
    );
  if ((type === 'button') !== (callbackUrl !== undefined))
    throw new UserError(
      'bad-property',
      type === 'button'
        ? 'A button needs --callback-url.'
        : `Only a button has --callback-url, not a ${type}.`,
      'Use --type button --callback-url /oauth, or "platform add oauth" to add the handler too.',
    );
  const { integration, text } = project.manifest;
  if (Object.hasOwn(integration.configurations[section]?.properties ?? {}, name)) {
    const path = ['configurations', section, 'properties', name];
    throw alreadyThere(project, { code: 'setting-exists', path, what: `a property ${name}` });
  }
  const property: YamlValue = {
    type,
    title,
    ...(description !== undefined && { description }),
    ...(choices && { enum: choices }),
    ...(completionUrl !== undefined && { completion_url: completionUrl }),
    ...(callbackUrl !== undefined && { button_text: title, callback_url: callbackUrl }),
  };
  const added = insertValue(text, ['configurations', section, 'properties', name], property);
  const whole = required ? insertValue(added, ['configurations', section, 'required', '-'], name) : added;
  return { files: new Map([[manifestFileName, whole]]), byHand: [] };
}

function addScope(project: ExistingProject, name: string, scopes: readonly string[]): Addition {
  const { integration, text } = project.manifest;
  if (!scopes.includes(name)) {
    const close = nearest(name, scopes);
    throw new UserError(
      'unknown-scope',
      `Unknown scope: "${name}".`,
      close ? `Did you mean ${close}?` : `The scopes are: ${scopes.join(', ')}.`,
    );
  }
  const former = integration.scopes.findIndex((scope) => scope === name);
  if (former >= 0) {
    const path = ['scopes', former];
    throw alreadyThere(project, { code: 'scope-exists', path, what: `the scope ${name}` });
  }
  return {
    files: new Map([[manifestFileName, insertValue(text, ['scopes', '-'], name)]]),
    byHand: [],
  };
}

/** Describes an event that scripts can handle. */
interface KnownEvent {
  type: string;
  scope?: string;
}

/** Adds a handler in its own file, the scope it requires, and a test that sends the event. */
function addEvent(project: ExistingProject, type: string, known: readonly KnownEvent[]): Addition {
  const event = known.find((candidate) => candidate.type === type);
  const types = known.map((candidate) => candidate.type);
  if (!event) {
    const close = nearest(type, types);
    throw new UserError(
      'unknown-event',
      `Unknown event: "${type}".`,
      close ? `Did you mean ${close}?` : `The events are: ${types.join(', ')}.`,
    );
  }
  const { language, manifest } = project;
  const file = `on-${toFileName(type)}`;
  const variable = toVariable(file);
  const { sources, entry } = layoutOf(project);
  const values = { type, variable, entry, eventType: eventTypeName(type) };
  const { files, byHand } = editEntry(
    project,
    {
      change: (source) => addToCollection(source, 'events', '{}', `${type}: ${variable}`),
      imports: { [variable]: `./${file}` },
    },
    `In the entry file, import ${variable} from ./${file} and add "${type}: ${variable}" to events in createIntegration(). If the event already has a handler, use an array.`,
  );
  const { scope } = event;
  const asked = scope === undefined || manifest.integration.scopes.some((one) => one === scope);
  return {
    files: new Map([
      ...files,
      ...(asked ? [] : [[manifestFileName, insertValue(manifest.text, ['scopes', '-'], scope)] as const]),
      createFile(project, `${sources}/${file}.${language}`, `event.${language}`, values),
      createFile(project, `test/${file}.test.${language}`, `event.test.${language}`, values),
    ]),
    byHand,
  };
}

const eventTypeName = (type: string): string => `${toTypeName(type).replace('Gitsync', 'GitSync')}Event`;
