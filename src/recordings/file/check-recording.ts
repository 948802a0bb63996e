import { RECORDING_VERSION } from './recording.js';

const MOST_CALLS = 10_000;
const DEEPEST = 100;
const LONGEST_AFTER_MS = 30 * 24 * 60 * 60_000;

/** Returns why the value at a path is invalid, or undefined if it is valid. */
type Check = (value: unknown, path: string) => string | undefined;

/** Returns why a recording is invalid, worded as the end of a sentence. */
export function checkRecording(value: unknown): string | undefined {
  return tooDeep(value) ?? wrongVersion(value) ?? recording(value, 'it');
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

const text: Check = (value, path) => (typeof value === 'string' ? undefined : `${path} must be text`);

const wholeNumber =
  (least: number, most: number): Check =>
  (value, path) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `${path} must be a whole number from ${least} to ${most}`;

const oneOf =
  (...allowed: unknown[]): Check =>
  (value, path) =>
    allowed.includes(value) ? undefined : `${path} must be ${allowed.join(' or ')}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const map =
  (check: Check): Check =>
  (value, path) => {
    if (!isRecord(value)) return `${path} must be an object`;
    for (const [key, inner] of Object.entries(value)) {
      const problem = check(inner, `${path}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

const list =
  (check: Check, most = 10_000): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return `${path} must be a list`;
    if (value.length > most) return `${path} has more than ${most.toLocaleString('en')} entries`;
    for (const [index, inner] of value.entries()) {
      const problem = check(inner, `${path}[${index}]`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** Accepts an object that contains only these keys. Keys that end with `?` may be missing. */
function object(fields: Record<string, Check>): Check {
  const checks = new Map(
    Object.entries(fields).map(([key, check]) => [
      key.replace('?', ''),
      { check, optional: key.endsWith('?') },
    ]),
  );
  return (value, path) => {
    if (!isRecord(value)) return `${path} must be an object`;
    const unknown = Object.keys(value).find((key) => !checks.has(key));
    if (unknown !== undefined) return `${path} has the unknown key ${unknown}`;
    for (const [key, { check, optional }] of checks) {
      if (!Object.hasOwn(value, key)) {
        if (optional) continue;
        return `${path}.${key} is missing`;
      }
      const problem = check(value[key], `${path}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

const anything: Check = () => undefined;
const body: Check = (value, path) => {
  if (typeof value === 'string') return undefined;
  if (typeof value !== 'object' || value === null) return `${path} must be a string, an object or a list`;
  const { $base64: bytes } = value as { $base64?: unknown };
  return typeof bytes === 'string' && !isBase64(bytes) ? `${path}.$base64 is not base64` : undefined;
};

const isBase64 = (value: string): boolean => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);

const date: Check = (value, path) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `${path} must be a time such as 2026-11-23T09:33:36.017Z`;

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
// oxlint-disable-next-line no-control-regex
const headerValue = /^[\t\x20-\x7E\x80-\xFF]*$/;
const headers: Check = (value, path) => {
  if (!isRecord(value)) return `${path} must be an object`;
  const wrong = Object.entries(value).find(
    ([name, inner]) =>
      !headerName.test(name) ||
      [inner].flat().some((text) => typeof text !== 'string' || !headerValue.test(text)),
  );
  return wrong && `${path}.${wrong[0]} is not a header`;
};

const part = {
  status: oneOf('active', 'pending', 'paused'),
  configuration: map(anything),
  externalIds: list(text),
};

const failure = object({ error: text, 'code?': text });
const hanging = object({ hangs: oneOf(true) });
const broken: Check = (value, path) => (isRecord(value) && 'hangs' in value ? hanging : failure)(value, path);

const answer: Check = (value, path) => {
  if (isRecord(value) && 'error' in value) return failure(value, path);
  if (isRecord(value) && 'hangs' in value) return hanging(value, path);
  return object({
    status: wholeNumber(200, 599),
    'headers?': headers,
    'body?': body,
    'url?': text,
    'leftOut?': text,
    'breaks?': broken,
  })(value, path);
};

const sent: Check = (value, path) =>
  typeof value === 'string' && /^[A-Z]{1,20} [a-z][a-z0-9+.-]*:\S+$/.test(value)
    ? undefined
    : `${path} must be a method and a URL, such as GET https://api.example.com/items`;

const typed: Check = (value, path) =>
  isRecord(value) && typeof value.type === 'string' ? undefined : `${path}.type must be text`;

const call = object({
  name: text,
  after: wholeNumber(0, LONGEST_AFTER_MS),
  stored: object({
    'installation?': object({
      id: text,
      organization: text,
      ...part,
      'spaces?': wholeNumber(0, 1_000_000),
      'network?': map(anything),
    }),
    'siteInstallation?': object({ site: text, 'space?': text, ...part }),
    'spaceInstallation?': object({ space: text, ...part }),
  }),
  event: typed,
  'body?': body,
  outbound: list(
    object({
      send: sent,
      'wait?': oneOf('short', 'long'),
      'headers?': headers,
      'body?': body,
      answer,
      ms: wholeNumber(0, LONGEST_AFTER_MS),
    }),
  ),
  'response?': object({ status: wholeNumber(200, 599), 'headers?': headers, 'body?': body }),
  'failure?': text,
  'rejected?': list(text),
  'unrepeatable?': list(text),
});

const calls: Check = (value, path) =>
  Array.isArray(value) && value.length === 0 ? `${path} is empty` : list(call, MOST_CALLS)(value, path);

const recording = object({
  '$schema?': text,
  version: oneOf(1, RECORDING_VERSION),
  integration: text,
  platform: text,
  'environment?': text,
  at: date,
  secrets: map(text),
  calls,
  'bodies?': map(body),
});
