import type { InstallationPatch } from '../../calls/edit-configuration.js';
import { invalid } from '../../http/http-error.js';
import { isObject } from '../../http/read-json.js';

/** Reads the changes to an installation from a request body. */
export function readPatch(body: Record<string, unknown>): InstallationPatch {
  const { configuration, externalIds } = body;
  if (configuration !== undefined && !isObject(configuration)) {
    throw invalid('configuration must be an object.');
  }
  if (externalIds !== undefined && !isStrings(externalIds)) {
    throw invalid('externalIds must be a list of strings.');
  }
  return { ...(configuration && { configuration }), ...(externalIds && { externalIds }) };
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
