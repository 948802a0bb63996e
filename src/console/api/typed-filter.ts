import { filterList, type FilterName } from '../../contract/basics/call-filters.js';
import { noFilter, withFilter, type FilterTexts } from './call-filter.js';

const kinds = new Map(filterList.map(([name, { kind }]): [string, string] => [name, kind]));

/** Matches `name:value` (with quotes around a value that contains spaces), quoted text or a single word. */
const token = /(-?)([a-z]+):(?:"([^"]*)"|(\S+))|"([^"]*)"|(\S+)/g;

/**
 * Parses a filter typed by the user, such as `status:5xx -type:ui_render failed reading the status`. Words that are not
 * filters become search text. Text that looks like a filter must be quoted to search for it.
 */
export function parseTypedFilter(text: string): FilterTexts {
  const change: { [Name in FilterName]?: string } = {};
  const searched: string[] = [];
  for (const [whole, not = '', name = '', quoted, plain, search, word = ''] of text.matchAll(token)) {
    const value = quoted ?? plain;
    if (value !== undefined && kinds.has(name) && name !== 'search') change[name as FilterName] = not + value;
    else if (kinds.get(word) === 'flag') change[word as FilterName] = 'true';
    else searched.push(search ?? whole);
  }
  return withFilter(noFilter, { ...change, search: searched.join(' ') });
}

/** A part of a typed filter. */
export interface TypedToken {
  text: string;
  look?: 'filter' | 'wrong';
  /** Why the platform does not filter by this. */
  problem?: string;
}

const statuses = /^-?(?:\d{3}|[1-5]xx)(?:[-,](?:\d{3}|[1-5]xx))*$/i;

/** Splits a typed filter into its tokens and what is between them. Joined, they are the text. */
export function tokensOf(text: string): TypedToken[] {
  const tokens: TypedToken[] = [];
  let end = 0;
  for (const { 0: whole, index, 2: name, 3: quoted, 4: plain, 6: word = '' } of text.matchAll(token)) {
    tokens.push({ text: text.slice(end, index) });
    end = index + whole.length;
    const problem = name !== undefined && problemOf(name, quoted, plain ?? '');
    if (problem) tokens.push({ text: whole, look: 'wrong', problem });
    else if (kinds.has(name ?? word) && (name !== undefined || kinds.get(word) === 'flag'))
      tokens.push({ text: whole, look: 'filter' });
    else tokens.push({ text: whole });
  }
  return [...tokens, { text: text.slice(end) }];
}

function problemOf(name: string, quoted: string | undefined, plain: string): string | undefined {
  const [, filter] = filterList.find(([one]) => one === name && one !== 'search') ?? [];
  if (!filter)
    return quoted === undefined && !plain.startsWith('//')
      ? `There is no filter ${name}:, so this is searched for as text.`
      : undefined;
  const value = quoted ?? plain;
  const { kind, choices } = filter;
  if (kind === 'statuses' && !statuses.test(value))
    return 'status: takes statuses such as 404, 5xx or 400-499,502.';
  if (kind === 'milliseconds' && !/^\d+$/.test(value)) return `${name}: takes a number of milliseconds.`;
  if (choices?.includes(value.replace(/^-/, '')) === false) return `${name}: takes ${choices.join(', ')}.`;
  return undefined;
}

export function formatTypedFilter(filter: FilterTexts): string {
  const words = filterList.flatMap(([name, { kind }]) => {
    const value = filter[name];
    if (value === undefined || name === 'search') return [];
    if (kind === 'flag' && value === 'true') return [name];
    const [, not = '', rest = ''] = /^(-?)(.*)$/s.exec(value) ?? [];
    return [`${not}${name}:${/\s/.test(rest) ? `"${rest}"` : rest}`];
  });
  const { search } = filter;
  if (search === undefined) return words.join(' ');
  const namesFilter = parseTypedFilter(search).search !== search;
  return [...words, namesFilter ? `"${search}"` : search].join(' ');
}
