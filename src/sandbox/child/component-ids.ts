/** The key under which `createIntegration()` stores the author's definition. */
const DEFINITION = Symbol.for('integration-platform');

/** Maximum number that is sent in one line. No real manifest has as many components. */
const MAX_COMPONENTS = 1000;
const LONGEST_ID = 256;

/** The ids of a script's components; undefined if they are unknown or have an unexpected type. */
export function componentIds(script: unknown): string[] | undefined {
  try {
    const definition = (script as { [DEFINITION]?: { components?: { componentId: unknown }[] } })[DEFINITION];
    if (!definition) return undefined;
    const ids = (definition.components ?? []).map(({ componentId }) => componentId);
    return ids.length <= MAX_COMPONENTS && ids.every(isId) ? ids : undefined;
  } catch {
    // An invalid definition is reported when it is used.
    return undefined;
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && id.length <= LONGEST_ID;
