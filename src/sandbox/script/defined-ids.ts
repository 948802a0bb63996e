import type { DefinedIds } from './script-host.js';

/** The key under which `createIntegration()` stores the author's definition. */
const DEFINITION = Symbol.for('integration-platform');

/** Maximum number of each kind that is sent in one line. No real manifest has as many. */
const MAX_IDS = 1000;
const LONGEST_ID = 256;

interface Definition {
  components?: { componentId: unknown }[];
  contentSources?: { sourceId: unknown }[];
}

/** The ids that a script defines; undefined if they are unknown or have an unexpected type. */
export function definedIds(script: unknown): DefinedIds | undefined {
  try {
    const definition = (script as { [DEFINITION]?: Definition })[DEFINITION];
    if (!definition) return undefined;
    const components = (definition.components ?? []).map(({ componentId }) => componentId);
    const contentSources = (definition.contentSources ?? []).map(({ sourceId }) => sourceId);
    return areIds(components) && areIds(contentSources) ? { components, contentSources } : undefined;
  } catch {
    // An invalid definition is reported when it is used.
    return undefined;
  }
}

const areIds = (ids: unknown[]): ids is string[] =>
  ids.length <= MAX_IDS && ids.every((id) => typeof id === 'string' && id.length <= LONGEST_ID);
