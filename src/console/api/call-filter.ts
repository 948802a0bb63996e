import type { CallFilter as ApiFilter } from '../../contract/routes/calls.js';

/** The filter of the list of calls, as it is in the address. */
export type CallFilter = { readonly [Name in FilterName]?: string };

const filterNames = [
  'search',
  'type',
  'failed',
  'near',
  'status',
  'method',
  'path',
  'host',
  'source',
  'slower',
  'installation',
  'site',
  'space',
  'since',
  'until',
] as const satisfies (keyof ApiFilter)[];
export type FilterName = (typeof filterNames)[number];

export const noFilter: CallFilter = {};

export const isFiltered = (filter: CallFilter): boolean => Object.keys(filter).length > 0;

/** An empty value removes the filter. */
export function withFilter(
  filter: CallFilter,
  change: { [Name in FilterName]?: string | undefined },
): CallFilter {
  const all = { ...filter, ...change };
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = all[name];
      return value ? [[name, value]] : [];
    }),
  );
}

export const parseFilter = (query: string): CallFilter =>
  withFilter(noFilter, Object.fromEntries(new URLSearchParams(query)));

export const formatFilter = (filter: CallFilter): string => new URLSearchParams({ ...filter }).toString();

/** The filter for the API, which refuses invalid values with a reason. */
export const apiFilter = ({ failed, near, slower, source, ...rest }: CallFilter): ApiFilter => ({
  ...rest,
  ...(failed !== undefined && { failed: failed === 'true' }),
  ...(near !== undefined && { near: near === 'true' }),
  ...(slower !== undefined && { slower: Number(slower) }),
  ...(source !== undefined && { source: source as NonNullable<ApiFilter['source']> }),
});
