import { eventsWithOption } from '../../protocol/events-with-option.js';
import type { DefinedIds } from './script-host.js';

/** The key that `createIntegration()` uses to store the author's definition. */
const DEFINITION = Symbol.for('integration-platform');

/** Maximum number of ids of each kind per line. Real manifests have fewer. */
const MAX_IDS = 1000;
const LONGEST_ID = 256;

type Definition = { [Name in (typeof eventsWithOption)[number]]?: unknown } & {
  events?: object;
  components?: { componentId: unknown }[];
  contentSources?: { sourceId: unknown }[];
};

/** Returns the ids that a script defines. Returns undefined if the ids are unknown or have an unexpected type. */
export function definedIds(script: unknown): DefinedIds | undefined {
  try {
    const definition = (script as { [DEFINITION]?: Definition })[DEFINITION];
    if (!definition) return undefined;
    const components = (definition.components ?? []).map(({ componentId }) => componentId);
    const contentSources = (definition.contentSources ?? []).map(({ sourceId }) => sourceId);
    const eventKeys = Object.keys(definition.events ?? {});
    const events = [
      ...eventKeys.filter((key) => !eventsWithOption.some((name) => name === key)),
      ...eventsWithOption.filter((name) => definition[name] !== undefined),
      ...(components.length > 0 ? ['ui_render'] : []),
      ...(contentSources.length > 0 ? ['content_compute_revision', 'content_compute_document'] : []),
    ];
    if (![components, contentSources, events, eventKeys].every(areIds)) return undefined;
    return { components, contentSources, events, eventKeys } as DefinedIds;
  } catch {
    // An invalid definition is reported when it is used.
    return undefined;
  }
}

/** Whether an event can only be handled in `events`, and is not. */
export const hasNoHandler = ({ events }: DefinedIds, type: string): boolean =>
  !events.includes(type) &&
  !eventsWithOption.some((name) => name === type) &&
  !/^(ui_render$|content_compute_)/.test(type);

const areIds = (ids: unknown[]): ids is string[] =>
  ids.length <= MAX_IDS && ids.every((id) => typeof id === 'string' && id.length <= LONGEST_ID);
