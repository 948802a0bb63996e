interface FilterDescription {
  /** The value's format. */
  kind: 'text' | 'statuses' | 'time' | 'milliseconds' | 'flag' | 'choice';
  /** The placeholder for the value in the option of `platform logs`. Flags do not have a placeholder. */
  value?: string;
  description: string;
  choices?: readonly string[];
}

/**
 * The filters for lists of calls. The console's API, the options of `platform logs` and the filter in the console's URL are
 * derived from these filters.
 */
export const callFilters = {
  search: {
    kind: 'text',
    value: 'text',
    description:
      'only calls with this text in their id, type, URL, status, outbound requests, logs or bodies',
  },
  type: {
    kind: 'text',
    value: 'event',
    description:
      'only events of this type; "fetch" lists requests, "script" lists what the script logged while no call was running, "-fetch" excludes requests',
  },
  component: {
    kind: 'text',
    value: 'component',
    description: 'only renders of this component; "-poll" excludes the component poll',
  },
  failed: {
    kind: 'flag',
    description: 'only calls with an error, such as a rejected waitUntil promise, regardless of their status',
  },
  warnings: { kind: 'flag', description: 'only calls with a warning (can be combined with --failed)' },
  current: { kind: 'flag', description: 'only calls since the last save' },
  reason: {
    kind: 'text',
    value: 'text',
    description: 'only calls with an error or warning whose reason contains this text',
  },
  at: {
    kind: 'text',
    value: 'place',
    description: 'only calls with a problem in this file or on this line, such as src/index.ts:12',
  },
  near: { kind: 'flag', description: 'only calls that came close to a limit' },
  status: {
    kind: 'statuses',
    value: 'status',
    description: 'only calls with these statuses, such as 404, 5xx or 400-499,502',
  },
  method: { kind: 'text', value: 'method', description: 'only requests with this method' },
  path: {
    kind: 'text',
    value: 'text',
    description: 'only requests with this text in the query or in the path after the endpoint URL',
  },
  host: { kind: 'text', value: 'text', description: 'only calls that sent an outbound request to this host' },
  source: {
    kind: 'choice',
    value: 'source',
    description: 'only calls from this source',
    choices: ['request', 'event', 'script'],
  },
  slower: { kind: 'milliseconds', value: 'ms', description: 'only calls that took longer than this' },
  since: {
    kind: 'time',
    value: 'time',
    description: 'only calls after this time, such as 15m, 2h or 2026-01-31T12:00',
  },
  until: { kind: 'time', value: 'time', description: 'only calls before this time' },
  integration: {
    kind: 'text',
    value: 'name',
    description: 'only calls of this integration, if the session runs several',
  },
  installation: { kind: 'text', value: 'id', description: 'only calls for this installation' },
  site: { kind: 'text', value: 'id', description: 'only calls for this site' },
  space: { kind: 'text', value: 'id', description: 'only calls for this space' },
} as const satisfies Record<string, FilterDescription>;

export type FilterName = keyof typeof callFilters;

/** The same filters as a list, for code that treats all of them alike. */
export const filterList = Object.entries<FilterDescription>(callFilters) as [FilterName, FilterDescription][];

type ValueOf<Description> = Description extends { choices: readonly (infer Choice)[] }
  ? Choice
  : Description extends { kind: 'flag' }
    ? boolean
    : Description extends { kind: 'milliseconds' }
      ? number
      : string;

export type CallFilter = { [Name in FilterName]?: ValueOf<(typeof callFilters)[Name]> };
