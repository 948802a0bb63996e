import { belowEndpoint } from '../../base/text/below-endpoint.js';
import type { FilterName } from '../../contract/basics/call-filters.js';
import type { CallLine } from '../../contract/routes/calls.js';

/** How many calls to offer values from. */
export const mostRead = 1000;
const mostValues = 40;
/** The maximum length of a filter. */
const longestValue = 300;

/** The values of a field in recent calls, most common first. The number of calls is unknown if not all were read. */
export type RecentValue = readonly [value: string, calls: number | undefined];

type Read = (line: CallLine) => string | undefined;

const pathOf: Read = ({ url }) => (url === undefined ? undefined : belowEndpoint(url).split('?')[0]);
/** In a call with several problems, the first one's reason is followed by the number of others. */
const reasonOf: Read = ({ reason }) =>
  reason
    ?.replace(/ \(and \d+ more\)$/, '')
    .replace(/\.$/, '')
    .slice(0, longestValue);

const fields: Partial<Record<FilterName, Read>> = {
  type: ({ type }) => type,
  path: pathOf,
  status: ({ status }) => status?.toString(),
  reason: reasonOf,
  method: ({ method }) => method,
  component: ({ component }) => component,
  integration: ({ integration }) => integration,
  at: ({ at }) => at && `${at.file}:${at.line}`,
};

/** In these fields, a filter also matches values that contain it. */
const contained: Partial<Record<FilterName, Read>> = {
  path: ({ url }) => url && belowEndpoint(url),
  reason: ({ reason }) => reason,
};

export function recentValues(name: FilterName, lines: readonly CallLine[]): RecentValue[] | undefined {
  const read = fields[name];
  if (!read) return undefined;
  const counts = new Map<string, number>();
  for (const line of lines) {
    const value = read(line);
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const found = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, mostValues);
  const inside = contained[name];
  return found.map(([value, calls]) => {
    if (lines.length >= mostRead) return [value, undefined];
    return [value, inside ? lines.filter((line) => inside(line)?.includes(value)).length : calls];
  });
}
