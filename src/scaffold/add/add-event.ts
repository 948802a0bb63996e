import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue } from '../../manifest/fix/insert-value.js';
import { addToCollection } from './register-in-source.js';
import {
  createFile,
  editEntry,
  layoutOf,
  toFileName,
  toTypeName,
  toVariable,
  type Addition,
} from './addition.js';
import type { ExistingProject } from './existing-project.js';

/** Describes an event that scripts can handle. */
export interface KnownEvent {
  type: string;
  scope?: string;
}

/** Adds a handler in its own file, the scope it requires, and a test that sends the event. */
export function addEvent(project: ExistingProject, type: string, known: readonly KnownEvent[]): Addition {
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
