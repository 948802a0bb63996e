import { filterList } from '../../contract/basics/call-filters.js';
import type { CallLine } from '../../contract/routes/calls.js';
import { recentValues } from './recent-values.js';

export interface Suggestion {
  /** The whole text of the field with this suggestion. */
  text: string;
  label: string;
  note: string;
}

const most = 8;

/** Suggests filters for the word that is being typed, or values that occur in calls if it names a filter. */
export function suggestFilters(typed: string, lines: readonly CallLine[]): Suggestion[] {
  const [, before = '', word = ''] = /^(.*[\s-])?([^\s-]*)$/s.exec(typed) ?? [];
  const [name = '', value] = word.split(/:(.*)/s);
  if (name === '') return [];
  if (value === undefined)
    return filterList
      .filter(([one]) => one !== 'search' && one !== name && one.startsWith(name))
      .map(([one, { kind, description }]) => {
        const label = kind === 'flag' ? one : `${one}:`;
        return { text: `${before}${label}${kind === 'flag' ? ' ' : ''}`, label, note: description };
      })
      .slice(0, most);
  const [filter, { choices } = {}] = filterList.find(([one]) => one === name) ?? [];
  if (filter === undefined) return [];
  const known =
    choices?.map((one): [string, undefined] => [one, undefined]) ?? recentValues(filter, lines) ?? [];
  return known
    .filter(([one]) => one !== value && one.toLowerCase().includes(value.toLowerCase()))
    .map(([one, calls]) => ({
      text: `${before}${name}:${/\s/.test(one) ? `"${one}"` : one} `,
      label: one,
      note: calls === undefined ? '' : calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`,
    }))
    .slice(0, most);
}
