import { nearest } from '../../base/did-you-mean.js';
import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue } from '../../manifest/fix/insert-value.js';
import { addImport, addToCollection } from './register-in-source.js';
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

/** What the platform knows of an event that scripts handle. */
export interface KnownEvent {
  type: string;
  scope?: string;
}

/** A handler in a file of its own, the scope it needs, a test that fires the event. */
export function addEvent(project: ExistingProject, type: string, known: readonly KnownEvent[]): Addition {
  const event = known.find((candidate) => candidate.type === type);
  const types = known.map((candidate) => candidate.type);
  if (!event) {
    const close = nearest(type, types);
    throw new UserError(
      'unknown-event',
      `There is no event "${type}".`,
      close ? `Did you mean ${close}?` : `There are ${types.join(', ')}.`,
    );
  }
  const { language, manifest } = project;
  const file = `on-${toFileName(type)}`;
  const variable = toVariable(file);
  const { sources, entry } = layoutOf(project);
  const values = { type, variable, entry, eventType: eventTypeName(type) };
  const { files, byHand } = editEntry(
    project,
    (source) => {
      const added = addToCollection(source, 'events', '{}', `${type}: ${variable}`);
      return added && addImport(added, variable, `./${file}`);
    },
    `Import ${variable} from ./${file} into the entry file, and put "${type}: ${variable}" into the events of createIntegration(), in an array where it has a handler already.`,
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
