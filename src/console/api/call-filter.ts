import { filterList, type CallFilter, type FilterName } from '../../contract/basics/call-filters.js';

/** The filter for the list of calls, as stored in the URL. */
export type FilterTexts = { readonly [Name in FilterName]?: string };

export const noFilter: FilterTexts = {};

export const isFiltered = (filter: FilterTexts): boolean => Object.keys(filter).length > 0;

/** An empty value removes the filter. */
export function withFilter(
  filter: FilterTexts,
  change: { [Name in FilterName]?: string | undefined },
): FilterTexts {
  const all = { ...filter, ...change };
  return Object.fromEntries(
    filterList.flatMap(([name]) => {
      const value = all[name];
      return value ? [[name, value]] : [];
    }),
  );
}

export const parseFilter = (query: string): FilterTexts =>
  withFilter(noFilter, Object.fromEntries(new URLSearchParams(query)));

export const formatFilter = (filter: FilterTexts): string => new URLSearchParams({ ...filter }).toString();

/** Converts the filter to the API's format. The API rejects invalid values and gives a reason. */
export function apiFilter(filter: FilterTexts): CallFilter {
  const values: Record<string, string | number | boolean> = {};
  for (const [name, { kind }] of filterList) {
    const value = filter[name];
    if (value === undefined) continue;
    values[name] = kind === 'flag' ? value === 'true' : kind === 'milliseconds' ? Number(value) : value;
  }
  return values;
}
