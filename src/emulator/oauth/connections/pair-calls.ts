import type { CallRecord } from '../../../store/calls/call-log.js';
import { parseIntegrationAddress } from '../../public/public-address.js';

/** The two calls that make up an OAuth connection. A call that was not recorded is undefined. */
export interface Trip {
  departure?: CallRecord;
  /** The URL that the first call redirected to, or undefined if that call failed. */
  authorize?: URL;
  back?: CallRecord;
}

/** Pairs the calls that have the same `state`. The oldest call must come first. */
export function pairCalls(calls: readonly CallRecord[], callbacks: readonly string[]): Trip[] {
  const trips: Trip[] = [];
  const paths = new Set(callbacks.map((path) => path.replace(/^[/]?/, '/')));
  for (const call of calls) {
    const url = urlOf(call);
    const path = url && pathBelow(url);
    if (path === undefined) continue;
    const authorize = authorizationOf(call);
    if (authorize) {
      paths.add(pathBelow(new URL(authorize.searchParams.get('redirect_uri') ?? '')) ?? path);
      trips.push({ departure: call, authorize });
    } else if (!paths.has(path)) {
      continue;
    } else if (url?.searchParams.has('code') || url?.searchParams.has('error')) {
      const trip = departureOf(trips, url, path);
      if (trip) trip.back = call;
      else trips.push({ back: call });
    } else if ((call.response?.status ?? 0) >= 400) {
      trips.push({ departure: call });
    }
  }
  return trips;
}

export function urlOf({ request }: CallRecord): URL | undefined {
  return request && URL.canParse(request.url) ? new URL(request.url) : undefined;
}

/** Returns the part of the path after the public endpoint. */
export const pathBelow = ({ pathname }: URL): string | undefined =>
  parseIntegrationAddress(pathname, '/v1/integrations/')?.rest;

function authorizationOf({ response }: CallRecord): URL | undefined {
  if (!response || response.status < 300 || response.status > 399) return undefined;
  const [, location = ''] = response.headers.find(([name]) => name.toLowerCase() === 'location') ?? [];
  const url = URL.canParse(location) ? new URL(location) : undefined;
  const redirectUri = url?.searchParams.get('redirect_uri') ?? '';
  return url?.searchParams.get('response_type') === 'code' && URL.canParse(redirectUri) ? url : undefined;
}

/** If `state` was changed on the way back, falls back to the most recent connection that is still waiting. */
function departureOf(trips: readonly Trip[], url: URL, path: string): Trip | undefined {
  const waiting = trips.filter(({ authorize, back }) => authorize && !back);
  const state = url.searchParams.get('state');
  return (
    waiting.findLast(({ authorize }) => authorize?.searchParams.get('state') === state) ??
    waiting.findLast(
      ({ authorize }) => pathBelow(new URL(authorize?.searchParams.get('redirect_uri') ?? '')) === path,
    )
  );
}
