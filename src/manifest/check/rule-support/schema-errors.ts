import { nearest } from '../../../base/did-you-mean.js';
import type { SchemaError } from '../../generated/validate-manifest.js';
import type { SchemaGuide } from './schema-guide.js';
import { recordAt, valueAt } from '../../../base/value-at-path.js';

/** A schema error. `key` is the missing or unknown key. */
export interface SchemaErrorAt {
  path: (string | number)[];
  keyword: string;
  key?: string;
  /** The allowed values, the expected types, or the limit. */
  expected?: unknown;
  /** The validator's message about the value, such as "must NOT have more than 3 items". */
  message?: string;
}

/** The maximum number of errors to report. It is more than anyone would read, and only matters for large broken files. */
const maxErrors = 1000;

/**
 * Each value is reported with only one error: the one whose keyword comes first in this list. Keywords that are not in the
 * list come last.
 */
const ofValue = ['type', 'discriminator', 'enum', 'maxLength', 'pattern', 'minItems', 'minimum', 'maximum'];

/** Reduces the errors to one for each value, with the code of the rule that describes the error. */
export function sortSchemaErrors(
  errors: readonly SchemaError[],
  value: unknown,
  codeOf: (mistake: SchemaErrorAt) => string,
  keysAt: SchemaGuide['keysAt'],
): Map<string, SchemaErrorAt[]> {
  const values = new Map<string, SchemaErrorAt>();
  const mistakes: SchemaErrorAt[] = [];
  for (const error of errors.slice(0, maxErrors)) {
    const mistake = readError(error, value);
    if (error.keyword === 'discriminator') mistakes.push(...unknownKeys(error, mistake, value, keysAt));
    if (mistake.key !== undefined) mistakes.push(mistake);
    else {
      const known = values.get(error.instancePath);
      if (!known || rank(mistake, value) < rank(known, value)) values.set(error.instancePath, mistake);
    }
  }
  const byCode = new Map<string, SchemaErrorAt[]>();
  for (const mistake of [...mistakes, ...values.values()]) {
    const code = codeOf(mistake);
    const same = byCode.get(code);
    if (same) same.push(mistake);
    else byCode.set(code, [mistake]);
  }
  return byCode;
}

/** If only certain words are allowed, a number or `true` is reported as an invalid word rather than a wrong type. */
function rank({ keyword, path }: SchemaErrorAt, document: unknown): number {
  const value = valueAt(document, path);
  const isWord = typeof value === 'number' || typeof value === 'boolean';
  if (keyword === 'enum' && isWord) return -1;
  return ofValue.includes(keyword) ? ofValue.indexOf(keyword) : ofValue.length;
}

function readError(
  { keyword, instancePath, params, message = '' }: SchemaError,
  value: unknown,
): SchemaErrorAt {
  const path = readPointer(instancePath, value);
  if (keyword === 'required') return { path, keyword, key: String(params['missingProperty']) };
  if (keyword === 'additionalProperties') return { path, keyword, key: String(params['additionalProperty']) };
  if (keyword === 'discriminator' && params['tagValue'] === undefined) {
    const mistyped = nearest(String(params['tag']), Object.keys(recordAt(value, ...path)));
    if (mistyped !== undefined) return { path, keyword: 'additionalProperties', key: mistyped };
    return { path, keyword: 'required', key: String(params['tag']) };
  }
  if (keyword === 'discriminator') return { path: [...path, String(params['tag'])], keyword };
  return { path, keyword, expected: params['allowedValues'] ?? params['type'] ?? params['limit'], message };
}

/**
 * Returns the keys of an object that are not allowed for any type. The validator does not check these keys if the object's
 * type is invalid.
 */
function unknownKeys(
  { instancePath }: SchemaError,
  mistake: SchemaErrorAt,
  value: unknown,
  keysAt: SchemaGuide['keysAt'],
): SchemaErrorAt[] {
  const path = readPointer(instancePath, value);
  const known = keysAt(path, value);
  return Object.keys(recordAt(value, ...path))
    .filter((key) => !known.includes(key) && !key.startsWith('x-') && key !== mistake.key)
    .map((key) => ({ path, keyword: 'additionalProperties', key }));
}

function readPointer(pointer: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(valueAt(value, path)) ? Number(name) : name);
  }
  return path;
}
