import { validate, type SchemaError } from '../generated/validate-recording.js';
import { RECORDING_VERSION } from './recording.js';

const DEEPEST = 100;

/** Returns why a recording is invalid, worded as the end of a sentence. */
export function checkRecording(value: unknown): string | undefined {
  const problem = tooDeep(value) ?? wrongVersion(value);
  if (problem !== undefined || validate(value)) return problem;
  const [error] = validate.errors ?? [];
  return error && describe(error);
}

/**
 * Returns the reason to reject a value that is nested too deeply or contains a key that would change what objects inherit.
 * Not recursive, so that deep nesting cannot overflow the stack.
 */
function tooDeep(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
    const next: unknown[] = [];
    for (const part of level) {
      if (typeof part !== 'object' || part === null) continue;
      if (Object.hasOwn(part, '__proto__')) return 'it contains the key __proto__';
      for (const inner of Object.values(part)) next.push(inner);
    }
    level = next;
  }
  return undefined;
}

function wrongVersion(value: unknown): string | undefined {
  const { version } = (value ?? {}) as { version?: unknown };
  return typeof version === 'number' && version > RECORDING_VERSION
    ? `its version is ${version}, and this platform reads versions up to ${RECORDING_VERSION}, so update integration-platform`
    : undefined;
}

const types: Record<string, string> = {
  string: 'text',
  object: 'an object',
  array: 'a list',
  integer: 'a whole number',
};

function describe({ instancePath, keyword, params }: SchemaError): string {
  const path = `it${instancePath.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.')}`;
  const limit = Number(params['limit']).toLocaleString('en');
  if (/\.headers(?:\.|$)/.test(path) && !Array.isArray(params['type'])) return `${path} is not a header`;
  switch (keyword) {
    case 'required':
      return `${path}.${String(params['missingProperty'])} is missing`;
    case 'additionalProperties':
      return `${path} has the unknown key ${String(params['additionalProperty'])}`;
    case 'type':
      return `${path} must be ${[params['type']]
        .flat()
        .map((type) => types[String(type)])
        .join(' or ')}`;
    case 'minimum':
    case 'maximum':
      return `${path} must be at ${keyword === 'minimum' ? 'least' : 'most'} ${limit}`;
    case 'minItems':
      return `${path} is empty`;
    case 'maxItems':
      return `${path} has more than ${limit} entries`;
    case 'pattern':
      return path === 'it.at'
        ? `${path} must be a time such as 2026-11-23T09:33:36.017Z`
        : `${path} must be a method and a URL, such as GET https://api.example.com/items`;
    default: {
      const { allowedValues = [params['allowedValue']] } = params as { allowedValues?: unknown[] };
      return `${path} must be ${allowedValues.join(' or ')}`;
    }
  }
}
