import { parseJson } from '../../base/parse-json.js';
import { belowEndpoint } from '../../base/text/below-endpoint.js';
import { withoutIds } from '../../base/text/without-ids.js';
import type { OutboundDetails } from '../../protocol/log-and-outbound-types.js';
import {
  callType,
  type CallCriteria,
  type CallLog,
  type CallQuery,
  type CallRecord,
  type CallVerdict,
  type Severity,
} from './call-log.js';

export const defaultPage = 100;

const pageFields = new Set(['after', 'before', 'limit']);

export const isFiltered = (query: CallQuery): boolean =>
  Object.entries(query).some(([field, value]) => value !== undefined && !pageFields.has(field));

/** Calls stored by older versions have no verdict, so it is derived from other fields. */
export const severityOf = ({ verdict, outcome }: Pick<CallRecord, 'verdict' | 'outcome'>): Severity =>
  verdict?.severity ?? (outcome === 'failed' ? 'error' : 'none');

/**
 * Returns a key that is the same for all calls with the same problem. Returns undefined for a call without a problem, and for
 * renders in the console, which are not counted.
 */
export function problemKey(
  call: Pick<CallRecord, 'verdict' | 'outcome' | 'error' | 'cause'>,
): string | undefined {
  if (severityOf(call) === 'none' || call.cause?.type === 'display') return undefined;
  // Removes the full stop, because a reason that was followed by the number of other problems has none.
  const reason = mainReason(call.verdict?.reason ?? call.error ?? '').replace(/\.$/, '');
  const place = placeOf(call.verdict);
  return `${place === '' ? reason : withoutIds(reason)}\n${place}`;
}

/** Returns the reason without the count of other problems in the call. */
export const mainReason = (reason: string): string => reason.replace(/ \(and \d+ more\)$/, '');

const placeOf = ({ at }: Partial<CallVerdict> = {}): string => (at ? `${at.file}:${at.line}` : '');

/** Whether a call matches every field of the filter except `search`, which may also match the call's bodies. */
export function matchesFields(call: CallRecord, filter: CallCriteria): boolean {
  const { ids, severity, near, source, method, slowerThanMs, since, until } = filter;
  return (
    (ids === undefined || ids.includes(call.id)) &&
    matchesType(call, filter) &&
    (severity === undefined || severity.includes(severityOf(call))) &&
    (near === undefined || (call.near !== undefined) === near) &&
    (source === undefined || call.source === source) &&
    (method === undefined || call.request?.method.toLowerCase() === method.toLowerCase()) &&
    (slowerThanMs === undefined || (call.durationMs ?? 0) > slowerThanMs) &&
    (since === undefined || call.time >= since) &&
    (until === undefined || call.time < until) &&
    matchesProblem(call, filter) &&
    matchesStatus(call, filter) &&
    matchesAddress(call, filter) &&
    matchesTarget(call, filter)
  );
}

function matchesProblem({ version, verdict, error }: CallRecord, filter: CallCriteria): boolean {
  const { version: wanted, reason, at } = filter;
  return (
    (wanted === undefined || version === wanted) &&
    (reason === undefined || contains(verdict?.reason ?? error ?? '', reason)) &&
    (at === undefined || at === placeOf(verdict) || at === verdict?.at?.file)
  );
}

const matchesType = (call: CallRecord, { type, component }: CallCriteria): boolean =>
  (type === undefined || isOrIsNot(callType(call), type)) &&
  (component === undefined || isOrIsNot(componentOf(call), component));

/** `-wanted` matches any value except `wanted`. */
const isOrIsNot = (value: string | undefined, wanted: string): boolean =>
  wanted.startsWith('-') ? value !== wanted.slice(1) : value === wanted;

const componentOf = ({ event }: CallRecord): string | undefined =>
  event?.type === 'ui_render' ? event.componentId : undefined;

function matchesStatus({ response }: CallRecord, { status }: CallCriteria): boolean {
  if (!status) return true;
  return (
    response !== undefined &&
    status.some(([least, most]) => response.status >= least && response.status <= most)
  );
}

function matchesAddress({ request, outbound }: CallRecord, { path, host }: CallCriteria): boolean {
  if (path !== undefined && !(request && contains(belowEndpoint(request.url), path))) return false;
  return (
    host === undefined || outbound.some(({ url }) => URL.canParse(url) && contains(new URL(url).host, host))
  );
}

function matchesTarget(call: CallRecord, { integration, installation, site, space }: CallCriteria): boolean {
  if (integration !== undefined && call.environment?.integration.name !== integration) return false;
  if (installation === undefined && site === undefined && space === undefined) return true;
  const target = targetOf(call);
  return (
    (installation === undefined || target.installation === installation) &&
    (site === undefined || target.site === site) &&
    (space === undefined || target.space === space)
  );
}

function targetOf({ event, request }: CallRecord): { installation?: string; site?: string; space?: string } {
  const [, kind, id] = /[/]installations[/][^/]+[/](site|space)s[/]([^/?]+)/.exec(request?.url ?? '') ?? [];
  return {
    ...(event && { installation: event.installationId }),
    ...(event && 'siteId' in event && event.siteId !== undefined && { site: event.siteId }),
    ...(event && 'spaceId' in event && event.spaceId !== undefined && { space: event.spaceId }),
    ...(kind !== undefined && { [kind]: id }),
  };
}

/** Whether the call itself, without its bodies, contains the search text. */
export function mentions(call: CallRecord, search: string): boolean {
  const { id, event, request, response, error, logs, outbound } = call;
  return (
    [id, event?.type, event?.eventId, request?.method, request?.url, error].some(
      (text) => text !== undefined && contains(text, search),
    ) ||
    (response !== undefined && String(response.status) === search) ||
    logs.some(({ text }) => contains(text, search)) ||
    outbound.some(({ url }) => contains(url, search))
  );
}

/** Whether a request or response body contains the search text, including the bodies of outbound requests. */
export function inBodies(call: CallRecord, search: string, read: CallLog['body']): boolean {
  const own = (['request', 'response'] as const).some((which) =>
    contains(decoder.decode(read(call.id, which)), search),
  );
  if (own) return true;
  return call.outbound.some(({ details }) => {
    if (details === undefined) return false;
    const text = decoder.decode(read(call.id, `outbound-${details}`));
    const { request, response } = parseJson(text, {}) as Partial<OutboundDetails>;
    return [request, response].some((message) => contains(message?.body?.content ?? '', search));
  });
}

export function matchesCall(call: CallRecord, filter: CallCriteria, read: CallLog['body']): boolean {
  const { search } = filter;
  if (!matchesFields(call, filter)) return false;
  return search === undefined || mentions(call, search) || inBodies(call, search, read);
}

const decoder = new TextDecoder();

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
