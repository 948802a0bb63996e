/** Where `createIntegration()` leaves what the author has passed to it. */
const DEFINITION = Symbol.for('integration-platform');

/** So many are sent in one line, at most; no manifest names as many. */
const MOST_COMPONENTS = 1000;
const LONGEST_ID = 256;

/** The ids of a script's components; undefined where the script doesn't say, or says something else. */
export function componentIds(script: unknown): string[] | undefined {
  try {
    const definition = (script as { [DEFINITION]?: { components?: { componentId: unknown }[] } })[DEFINITION];
    if (!definition) return undefined;
    const ids = (definition.components ?? []).map(({ componentId }) => componentId);
    return ids.length <= MOST_COMPONENTS && ids.every(isId) ? ids : undefined;
  } catch {
    // What is wrong with it shows when it is used.
    return undefined;
  }
}

const isId = (id: unknown): id is string => typeof id === 'string' && id.length <= LONGEST_ID;
