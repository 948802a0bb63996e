import { resolve } from 'node:path';
import { parseJson } from '../../base/parse-json.js';
import { isUserError, UserError } from '../../base/user-error.js';
import { readRegularFile } from '../../base/node/regular-file.js';

/** Parses `visitor.ip=10.0.0.1` and `count=3`. If a value is valid JSON, it is parsed as JSON. Otherwise, it is a string. */
export function readAssignments(assignments: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const at = assignment.indexOf('=');
      if (at < 1) {
        throw new UserError('bad-assignment', `"${assignment}" has no value.`, 'Write it as name=value.');
      }
      return [assignment.slice(0, at), readValue(assignment.slice(at + 1))];
    }),
  );
}

/**
 * Parses assignments to the fields of an event. The value in `revisionId=42` remains a string, because the field contains a
 * string.
 */
export async function readFields(
  type: string,
  assignments: readonly string[],
): Promise<Record<string, unknown>> {
  const { fitField } = await import('../../emulator/events/event-fields.js');
  const fields = Object.entries(readAssignments(assignments));
  return Object.fromEntries(fields.map(([path, value]) => [path, fitField(type, path, value)]));
}

/** Returns a number only if no digits are lost, because it may be turned back into text. */
function readValue(text: string): unknown {
  const value = parseJson(text, text);
  return typeof value === 'number' && String(value) !== text ? text : value;
}

export function readJsonObject(text: string, from: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(
      'bad-json',
      `${from} is not JSON: ${(error as Error).message}`,
      'Use an object such as {"name": "value"}.',
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UserError(
    'bad-json',
    `${from} is not a JSON object.`,
    'Use an object such as {"name": "value"}.',
  );
}

export function readJsonFile(file: string, cwd: string): Record<string, unknown> {
  try {
    return readJsonObject(readRegularFile(resolve(cwd, file)).toString('utf8'), file);
  } catch (error) {
    if (isUserError(error)) throw error;
    throw new UserError('no-file', `${file} cannot be read: ${(error as Error).message}`, 'Check its path.');
  }
}
