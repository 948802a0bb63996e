import type { InstallTarget } from '../../state/script-environments.js';
import { invalid } from '../../http/http-error.js';
import { isObject } from '../../http/read-json.js';

type Body = Record<string, unknown>;

/** Readers of the fields of a body; each says which one is wrong. */
export function readText(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value !== undefined && typeof value !== 'string')
    throw invalid(`${name} has to be a string.`, { path: name });
  return value;
}

export function needText(body: Body, name: string): string {
  const value = readText(body, name);
  if (!value) throw invalid(`${name} is needed.`, { path: name });
  return value;
}

export function readTexts(body: Body, name: string): string[] | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw invalid(`${name} has to be a list of strings.`, { path: name });
  }
  return value;
}

export function readObject(body: Body, name: string): Body | undefined {
  const value = body[name];
  if (value !== undefined && !isObject(value)) throw invalid(`${name} has to be an object.`, { path: name });
  return value;
}

export function readFlag(body: Body, name: string): boolean | undefined {
  const value = body[name];
  if (value !== undefined && typeof value !== 'boolean') {
    throw invalid(`${name} has to be true or false.`, { path: name });
  }
  return value;
}

export const readPlace = (body: Body): InstallTarget => ({
  ...given('installation', readText(body, 'installation')),
  ...given('site', readText(body, 'site')),
  ...given('space', readText(body, 'space')),
});

/** `{ [name]: value }`, or nothing where there is no value. */
export const given = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } => (value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value }));
