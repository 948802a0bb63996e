import type { CallFilter } from '../../../contract/routes/calls.js';
import { parseWholeNumber, type OptionSpec } from '../../context/command.js';

const flags: { [Field in keyof Required<CallFilter>]: Omit<OptionSpec, 'flags'> & { value?: string } } = {
  search: {
    value: 'text',
    description: 'only calls with this text in the id, type, address, outbound requests, logs or bodies',
  },
  type: {
    value: 'event',
    description: 'only this type of event; "fetch" lists requests, "script" lists logs outside of calls',
  },
  failed: { description: 'failed calls only' },
  near: { description: 'only calls that came close to a limit' },
  status: { value: 'status', description: 'only these statuses, such as 404, 5xx or 400-499,502' },
  method: { value: 'method', description: 'only requests with this method' },
  path: {
    value: 'text',
    description: 'only requests with this text in the path below the endpoint or in the query',
  },
  host: { value: 'text', description: 'only calls that made an outbound request to this host' },
  source: {
    value: 'source',
    description: 'only calls of this source',
    choices: ['request', 'event', 'script'],
  },
  slower: { value: 'ms', description: 'only calls that took longer', parse: parseWholeNumber },
  since: { value: 'time', description: 'only calls after this time, such as 15m, 2h or 2026-01-31T12:00' },
  until: { value: 'time', description: 'only calls before this time' },
  installation: { value: 'id', description: 'only calls in this installation' },
  site: { value: 'id', description: 'only calls in this site' },
  space: { value: 'id', description: 'only calls in this space' },
};

/** The filters of the console's list of calls, as options. */
export const filterOptions: readonly OptionSpec[] = Object.entries(flags).map(
  ([name, { value, ...spec }]) => ({
    flags: value === undefined ? `--${name}` : `--${name} <${value}>`,
    ...spec,
  }),
);
