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

/** The first name before a colon that is not a filter, so that the word is searched for as text. */
export const unknownFilter = (text: string): string | undefined =>
  [...text.matchAll(token)].find(
    ([, , name, quoted, plain = '']) =>
      name !== undefined && quoted === undefined && !kinds.has(name) && !plain.startsWith('//'),
  )?.[2];

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
