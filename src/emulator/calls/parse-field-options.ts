import { isObject } from '../http/read-json.js';

export interface Option {
  id: string;
  label: string;
  icon?: string;
}

/** The options that an integration answers for a field; nothing where it answers something else. */
export function parseOptions(text: string): Option[] | undefined {
  try {
    const options = listIn(JSON.parse(text))?.map(readOption);
    return options?.every((option) => option !== undefined) ? withoutTwins(options) : undefined;
  } catch {
    return undefined;
  }
}

/** A page of a longer list (`items`) brings along what is selected on another page. */
function listIn(value: unknown): unknown[] | undefined {
  if (!isObject(value)) return Array.isArray(value) ? value : undefined;
  const { options, items = options, selected } = value;
  return Array.isArray(items) ? [...(Array.isArray(selected) ? selected : []), ...items] : undefined;
}

const withoutTwins = (options: Option[]): Option[] =>
  options.filter(({ id }, index) => options.findIndex((other) => other.id === id) === index);

function readOption(value: unknown): Option | undefined {
  if (typeof value === 'string') return { id: value, label: value };
  if (!isObject(value)) return undefined;
  // Lists of completions say `value` where a select says `id`.
  const { id = value.value, label } = value;
  if (typeof id !== 'string' || typeof label !== 'string') return undefined;
  const icon = readIcon(value.icon);
  return { id, label, ...(icon !== undefined && { icon }) };
}

/** By name, by address, or as an `image`. */
function readIcon(value: unknown): string | undefined {
  const icon = isObject(value) && isObject(value.source) ? value.source.url : value;
  return typeof icon === 'string' ? icon : undefined;
}
