import { addComponent, type ComponentInput } from './add-component.js';
import { addConfiguration, type ConfigurationInput } from './add-configuration.js';
import { addEvent, type KnownEvent } from './add-event.js';
import { addOAuth } from './add-oauth.js';
import { addSecrets } from './add-secret.js';
import type { Addition } from './addition.js';
import { changesOf, renderChanges, writeChanges, type FileChange } from './apply-addition.js';
import { openProject } from './existing-project.js';

export type Piece =
  | ({ kind: 'component' } & ComponentInput)
  | { kind: 'event'; name: string }
  | { kind: 'oauth' }
  | { kind: 'secret'; name: string }
  | ({ kind: 'configuration' } & ConfigurationInput);

export interface AddWorld {
  /** The path of the project's manifest. */
  file: string;
  env: Readonly<Record<string, string | undefined>>;
  events: readonly KnownEvent[];
  random(bytes: number): Uint8Array;
  dryRun: boolean;
}

export interface AddResult {
  changes: FileChange[];
  /** What the author must do next. */
  byHand: string[];
  diff: string;
}

/** Adds something to an existing project. */
export function add(piece: Piece, world: AddWorld): AddResult {
  const project = openProject(world.file, world.env);
  const randomText = (): string => Buffer.from(world.random(16)).toString('hex');
  const addition = ((): Addition => {
    switch (piece.kind) {
      case 'component':
        return addComponent(project, piece);
      case 'event':
        return addEvent(project, piece.name, world.events);
      case 'oauth':
        return addOAuth(project, randomText);
      case 'secret':
        return addSecrets(project, [piece]);
      case 'configuration':
        return addConfiguration(project, piece);
    }
  })();
  const changes = changesOf(project, addition);
  if (!world.dryRun) writeChanges(project, changes);
  return { changes, byHand: addition.byHand, diff: renderChanges(changes) };
}
