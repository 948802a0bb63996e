import type { UIAction } from '../../../protocol/events.js';

// Functions that read a value from markup. Scripts can return anything, so these functions return undefined for an
// unexpected type.

export type Values = Record<string, unknown>;

export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readRecord = (value: unknown): Values => (isRecord(value) ? value : {});

export const readList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Reads a URL, which can be a string or an object with the URL's parts. */
export function readAddress(value: unknown, protocol: string): string | undefined {
  if (!isRecord(value)) return readText(value);
  const { host, pathname } = value;
  if (typeof host !== 'string' || typeof pathname !== 'string') return undefined;
  const query = Object.entries(readRecord(value.query)).flatMap(([name, part]) => {
    const text = readText(part);
    return text === undefined ? [] : [[name, text]];
  });
  const search = new URLSearchParams(query).toString();
  return `${protocol}//${host}${pathname}${search && `?${search}`}`;
}

/** Reads the text in markup without its formatting. */
export function readWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(readWords).join('');
  return isRecord(value) ? readWords(value.children) : (readText(value) ?? '');
}

export const readNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const readAction = (value: unknown): UIAction | undefined =>
  isRecord(value) && typeof value.action === 'string' ? (value as UIAction) : undefined;

export function readOneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((one) => one === value);
}

/** Returns the children to render, as a flat list without empty values. */
export const readChildren = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.flatMap(readChildren)
    : value === null || value === undefined || typeof value === 'boolean'
      ? []
      : [value];

export const withValue = (values: Values, key: string, value: unknown): Values =>
  Object.fromEntries([...Object.entries(values).filter(([name]) => name !== key), [key, value]]);
