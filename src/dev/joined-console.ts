import type { Timers } from '../base/clock.js';
import { readServerSentEvents } from '../base/read-server-sent-events.js';
import { createEventFeed } from '../emulator/live/event-feed.js';
import type { ClockResource, Emulator, FailureReplay, MovedClock } from '../emulator/index.js';
import { liveRoutes } from '../emulator/console/live-routes.js';
import { MOST_CALLS, SLICE_MS } from '../emulator/time/move-clock.js';
import { allIntegrations } from '../protocol/integration.js';
import { missingHeader } from '../protocol/missing-integrations.js';

/** A running integration. */
interface JoinedMember {
  id: string;
  /** The key of its console. */
  key: string;
  name(): string;
  emulator: Pick<Emulator, 'fetchConsole'>;
}

type Item = Record<string, unknown>;

/** A message of an integration's stream. */
type Message = Item & { type: string; call?: object; delivery?: object };

/** The items of one integration. The one that is to be taken first is at the start. */
interface Part {
  member: JoinedMember;
  items: Item[];
}

interface Taken {
  part: Part;
  item: Item;
  /** How many items of each part have been taken so far. */
  counts: number[];
}

interface Overview {
  integration: Item;
  installations: Item[];
  versionSince?: number;
}

/** Which items of each integration come before an item of a joined list. The key is the id of the integration. */
type Cursor = Record<string, number | string>;

/** Older cursors of joined lists are forgotten. */
const mostCursors = 5000;

/**
 * Handles requests to the console API for all integrations of a session at once. Lists are joined by time, and each item names its
 * integration. A request about a call, a task, a delivery or an endpoint is for the integration that has it.
 */
export function createJoinedConsole(
  running: () => readonly JoinedMember[],
  { timers, closing }: { timers: Timers; closing: AbortSignal },
): (request: Request) => Promise<Response> {
  const cursors = new Map<number | string, Cursor>();
  let last = 0;
  const keep = (key: number | string, cursor: Cursor): void => {
    cursors.set(key, cursor);
    const [oldest] = cursors.keys();
    if (cursors.size > mostCursors && oldest !== undefined) cursors.delete(oldest);
  };

  const ask = async (
    member: JoinedMember,
    { url, method, headers, body, signal }: Request,
    path: string,
    query = new URLSearchParams(),
  ): Promise<Response> => {
    const target = new URL(`/console/api${path.replace(named, '$1')}?${query.toString()}`, url);
    target.searchParams.delete('integration');
    const asked = new Request(target, { method, headers, signal, ...(body && { body, duplex: 'half' }) });
    asked.headers.set('X-Platform-Token', member.key);
    const response = await member.emulator.fetchConsole(asked);
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!isJson || !hasDeliveries.test(path)) return response;
    const { status } = response;
    const text = await response.text();
    // Most calls have no deliveries, and may be large.
    const shown = text.includes('"dlv_')
      ? JSON.stringify(withName<unknown>(JSON.parse(text), member.name()))
      : text;
    return new Response(shown, { status, headers: response.headers });
  };
  /** Throws the response of an integration that rejects the request. */
  const read = async <Value>(...args: Parameters<typeof ask>): Promise<Value> => {
    const response = await ask(...args);
    if (!response.ok) throw response;
    return (await response.json()) as Value;
  };
  /** Returns all integrations, or the one in the filter. */
  const membersIn = (query: URLSearchParams): readonly JoinedMember[] => {
    const name = query.get('integration');
    if (name === null) return running();
    return [memberNamed(name)];
  };
  const memberNamed = (name: string): JoinedMember => {
    const found = running().find((member) => member.name() === name);
    if (found) return found;
    const known = running().map((member) => member.name());
    throw failure(404, 'not-found', `Unknown integration: ${name}. The session runs ${known.join(', ')}.`);
  };
  const missing = new WeakMap<Request, string>();
  /** Asks the integrations. The response names those that fail. Throws if all of them do. */
  const askEach = async <Value>(
    request: Request,
    members: readonly JoinedMember[],
    work: (member: JoinedMember) => Promise<Value>,
  ): Promise<Value[]> => {
    const results = await Promise.allSettled(members.map(work));
    const values = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const [failed] = results.flatMap((one) =>
      one.status === 'rejected' ? [{ error: one.reason as unknown }] : [],
    );
    if (failed && values.length === 0) throw failed.error;
    const names = members.filter((_, nth) => results[nth]?.status === 'rejected').map((one) => one.name());
    if (failed) missing.set(request, names.join(', '));
    return values;
  };
  const headersFor = (request: Request): Record<string, string> => {
    const names = missing.get(request);
    return { ...noStore, ...(names !== undefined && { [missingHeader]: encodeURIComponent(names) }) };
  };
  const readAll = <Value>(request: Request, path: string, query = new URLSearchParams()): Promise<Value[]> =>
    askEach(request, membersIn(query), (member) => read<Value>(member, request, path, query));

  /** Reads a page of each integration. `bound` returns where it starts. */
  const readParts = (
    request: Request,
    path: string,
    query: URLSearchParams,
    bound: (member: JoinedMember) => Record<string, number | string | undefined>,
  ): Promise<Part[]> =>
    askEach(request, membersIn(query), async (member) => {
      const own = new URLSearchParams(query);
      for (const [name, value] of Object.entries(bound(member)))
        if (value === undefined) own.delete(name);
        else own.set(name, String(value));
      const response = await ask(member, request, path, own);
      // The endpoint may be that of another integration.
      if (response.status !== 404 && !response.ok) throw response;
      const items = response.ok ? ((await response.json()) as Item[]) : [];
      return { member, items: items.map((item) => ({ ...item, integration: member.name() })) };
    });
  const cursorAt = (query: URLSearchParams, name: string): Cursor | undefined => {
    const given = query.get(name);
    if (given === null) return undefined;
    const cursor = cursors.get(/^\d+$/.test(given) ? Number(given) : keyOf(given, query));
    if (!cursor && given !== '0')
      throw failure(400, 'invalid', 'The list has changed. Read it from the start.');
    return cursor ?? {};
  };

  const listCalls = async (request: Request, query: URLSearchParams): Promise<Item[]> => {
    const after = cursorAt(query, 'after');
    const before = cursorAt(query, 'before');
    const parts = await readParts(request, '/calls', query, ({ id }) => ({
      after: after && (after[id] ?? 0),
      before: before && Number(before[id] ?? 0) + (before['own'] === id ? 0 : 1),
    }));
    const newestFirst = after === undefined;
    if (newestFirst) for (const { items } of parts) items.reverse();
    const taken = take(parts, limitOf(query), (a, b) =>
      newestFirst ? Number(a['time']) > Number(b['time']) : Number(a['time']) < Number(b['time']),
    );
    const ordered = newestFirst ? taken.reverse() : taken;
    return ordered.map(({ part, item, counts }) => {
      const { position, ...line } = item;
      // A call that was asked for by its id is not part of a page.
      if (typeof position !== 'number' || query.has('ids')) return line;
      const at = parts.map(({ member, items }, nth): [string, number] => {
        const count = counts[nth] ?? 0;
        const latest = items[count - 1]?.['position'] as number | undefined;
        const next = items[count]?.['position'] as number | undefined;
        if (member === part.member) return [member.id, position];
        if (!newestFirst) return [member.id, latest ?? Number(after[member.id] ?? 0)];
        return [member.id, next ?? (latest === undefined ? 0 : latest - 1)];
      });
      last += 1;
      // An integration that failed this time continues where it was.
      keep(last, { ...(after ?? before), ...Object.fromEntries(at), own: part.member.id });
      return { ...line, position: last };
    });
  };

  const listDeliveries = async (request: Request, query: URLSearchParams): Promise<Item[]> => {
    const before = cursorAt(query, 'before');
    const parts = await readParts(request, '/deliveries', query, ({ id }) => ({ before: before?.[id] }));
    const taken = take(parts, limitOf(query), (a, b) => Number(a['createdAt']) > Number(b['createdAt']));
    for (const { item, counts } of taken) {
      const at = parts.flatMap(({ member, items }, nth): [string, string][] => {
        const id = items[(counts[nth] ?? 0) - 1]?.['id'] ?? before?.[member.id];
        return typeof id === 'string' ? [[member.id, id.replace(named, '$1')]] : [];
      });
      keep(keyOf(String(item['id']), query), { ...before, ...Object.fromEntries(at) });
    }
    return taken.map(({ item }) => item);
  };

  const listOf = async (request: Request, path: string, query: URLSearchParams): Promise<Item[]> =>
    (await readParts(request, path, query, () => ({}))).flatMap(({ items }) => items);

  const lists: Record<string, (request: Request, query: URLSearchParams) => Promise<unknown>> = {
    '/calls': listCalls,
    '/deliveries': listDeliveries,
    '/webhooks': (request, query) => listOf(request, '/webhooks', query),
    async '/tasks'(request, query) {
      const tasks = await listOf(request, '/tasks', query);
      return tasks.sort((a, b) => Number(a['dueAt']) - Number(b['dueAt']));
    },
    '/calls/count': async (request, query) => sum(await readAll<Item>(request, '/calls/count', query)),
    '/calls/problems': (request, query) => joinGroups(request, '/calls/problems', query),
    '/deliveries/failures': (request, query) => joinGroups(request, '/deliveries/failures', query),
    async '/overview'(request) {
      const all = await readAll<Overview>(request, '/overview');
      const [{ integration, ...first } = { integration: {}, installations: [] }] = all;
      // A script that has never been built has no deliveries.
      const since = all.map(({ versionSince = Number.MAX_SAFE_INTEGER }) => versionSince);
      return {
        ...first,
        versionSince: Math.min(...since),
        integration: { ...integration, name: allIntegrations, title: 'All integrations' },
        installations: all.flatMap(({ installations }) => installations),
        lastBuild: undefined,
      };
    },
  };
  const joinGroups = async (request: Request, path: string, query: URLSearchParams): Promise<Item> => {
    const all = await askEach(request, membersIn(query), async (member) => {
      const { groups, ...totals } = await read<Item & { groups: Item[] }>(member, request, path, query);
      return { totals, groups: groups.map((group) => ({ ...group, integration: member.name() })) };
    });
    const groups: Item[] = all.flatMap((one) => one.groups);
    return {
      ...sum(all.map(({ totals }) => totals)),
      groups: groups.sort((a, b) => Number(b['last']) - Number(a['last'])),
    };
  };

  const showClock = async (request: Request): Promise<ClockResource> => {
    const all = await askEach(request, running(), async (member) => {
      const { due, ...clock } = await read<ClockResource>(member, requestLike(request), '/clock');
      return {
        ...clock,
        due: due.map((one) => ({
          ...one,
          title: `${member.name()} ${one.title}`,
          integration: member.name(),
        })),
      };
    });
    const [furthest] = all.toSorted((a, b) => b.now - a.now);
    return { now: 0, ahead: 0, ...furthest, due: all.flatMap(({ due }) => due).sort((a, b) => a.at - b.at) };
  };
  /** Each integration replays its own failures. */
  const replayFailures = async (request: Request): Promise<FailureReplay[]> => {
    const { calls } = (await request.json()) as { calls: string[] };
    const replays = await askEach(request, running(), async (member) => {
      const query = new URLSearchParams({ ids: calls.join() });
      const own = await read<Item[]>(member, requestLike(request), '/calls', query);
      if (own.length === 0) return [];
      const init = post({ calls: own.map(({ id }) => id) });
      return read<FailureReplay[]>(member, requestLike(request, init), '/failures/replay');
    });
    return replays.flat();
  };
  let journey = { to: NaN, calls: 0 };
  /** Moves the clocks of all integrations together, from one moment at which something is due to the next. */
  const moveClock = async (request: Request): Promise<MovedClock> => {
    const body: unknown = await request.json().catch(() => ({}));
    const { to, untilIdle } = body as { to: number; untilIdle?: boolean };
    const began = timers.monotonic();
    const happened: MovedClock['happened'] = [];
    if (journey.to !== to) journey = { to, calls: 0 };
    let reached = { now: 0, ahead: 0 };
    const move = async (): Promise<MovedClock | undefined> => {
      const { due, now, ahead } = await showClock(request);
      reached = { now, ahead };
      const next = due.find(({ what, at }) => what !== 'expiry' && at > now)?.at;
      if (untilIdle && next === undefined && now <= to) return { now, ahead, done: true, happened };
      const at = Math.min(to, Math.ceil(next ?? to));
      const moves = await askEach(request, running(), (member) =>
        read<MovedClock>(member, requestLike(request, post({ to: at })), '/clock'),
      );
      const passed = moves.flatMap((moved) => moved.happened);
      happened.push(...passed);
      journey.calls += passed.length;
      const stopped = moves.find((moved) => moved.stopped)?.stopped;
      const result = { now: at, ahead: ahead + at - now, happened };
      if (stopped) return { ...result, done: false, stopped };
      if (journey.calls > MOST_CALLS) return { ...result, done: false, stopped: 'too-many-calls' };
      if (at === to && moves.every(({ done }) => done)) return { ...result, done: true };
      return timers.monotonic() - began > SLICE_MS ? { ...result, done: false } : undefined;
    };
    for (;;) {
      try {
        const moved = await move();
        if (moved) return moved;
      } catch (error) {
        if (happened.length === 0) throw error;
        // The next request reports the error.
        return { ...reached, done: false, happened };
      }
    }
  };
  const handleClock = async (request: Request): Promise<unknown> => {
    if (request.method === 'GET') return showClock(request);
    if (request.method === 'POST') return moveClock(request);
    for (const member of running()) {
      const response = await ask(member, request, '/clock');
      if (!response.ok) throw response;
    }
    return undefined;
  };

  const feed = createEventFeed();
  const followed = new Set<JoinedMember['emulator']>();
  /** Passes what happens in each integration to the feed, from when the first reader asks for it. */
  const follow = async (member: JoinedMember, request: Request): Promise<void> => {
    const { emulator } = member;
    if (followed.has(emulator)) return;
    followed.add(emulator);
    try {
      const headers = new Headers(request.headers);
      headers.delete('last-event-id');
      const { body } = await ask(member, new Request(request.url, { headers, signal: closing }), '/stream');
      if (!body) return;
      for await (const { type, ...data } of readServerSentEvents<Message>(body)) {
        const integration = member.name();
        if (data.call) data.call = { ...data.call, integration };
        if (data.delivery) data.delivery = { ...withName(data.delivery, integration), integration };
        if (type !== 'hello') feed.emitToConsole({ type, ...data, integration } as never);
      }
    } catch {
      // Readers then read everything again.
      feed.emitToConsole({ type: 'reset' } as never);
    } finally {
      followed.delete(emulator);
    }
  };
  const { 'GET /stream': openStream } = liveRoutes({
    feed,
    timers,
    secrets: { maskValue: (value) => value },
    closing,
    view: (event) => event as never,
  });

  /** Finds the integration that has a call, a task, a delivery or an endpoint. */
  const ownerOf = async (asked: Request, kind: string, id: string): Promise<JoinedMember | undefined> => {
    const request = requestLike(asked);
    const name = kind === 'deliveries' ? named.exec(id)?.[2] : undefined;
    if (name !== undefined) return memberNamed(name);
    const query = kind === 'calls' ? new URLSearchParams({ ids: id }) : undefined;
    const found = await askEach(request, running(), async (member) => {
      if (kind === 'deliveries')
        return (await ask(member, request, `/deliveries/${encodeURIComponent(id)}`)).ok ? [member] : [];
      const items = await read<Item[]>(member, request, `/${kind}`, query);
      return items.some((item) => item['id'] === id) ? [member] : [];
    });
    const owners = found.flat();
    if (owners.length > 1) throw whichIntegration(owners);
    const silent = missing.get(request);
    if (owners.length === 0 && silent !== undefined)
      throw failure(503, 'not-running', `No response from ${silent}.`);
    return owners[0];
  };

  let isFollowed = false;
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice('/console/api'.length);
    const list = request.method === 'GET' ? lists[path] : undefined;
    try {
      isFollowed ||= path === '/stream';
      // Also those that have been added since.
      if (isFollowed) for (const member of running()) void follow(member, request);
      if (path === '/clock') {
        const clock = await handleClock(request);
        return clock
          ? Response.json(clock, { headers: headersFor(request) })
          : new Response(null, { status: 204 });
      }
      if (path === '/failures/replay' && request.method === 'POST')
        return Response.json(await replayFailures(request), { headers: headersFor(request) });
      if (list) return Response.json(await list(request, searchParams), { headers: headersFor(request) });
      if (path === '/stream') {
        const stream = openStream({}, request) as ReadableStream;
        return new Response(stream, { headers: { ...noStore, 'Content-Type': 'text/event-stream' } });
      }
      const call = searchParams.get('call');
      const [, kind = '', id] = /^[/](calls|tasks|deliveries|webhooks)[/]([^/]+)/.exec(path) ?? [
        '',
        'calls',
        call ?? undefined,
      ];
      const member = id === undefined ? undefined : await ownerOf(request, kind, decodeURIComponent(id));
      const [first] = running();
      const isForAny =
        path.startsWith('/preferences') || (['GET', 'HEAD'].includes(request.method) && forAny.test(path));
      const found = member ?? (id !== undefined || isForAny ? first : undefined);
      if (!found) return whichIntegration(running());
      return await ask(found, request, path, searchParams);
    } catch (error) {
      if (error instanceof Response) return error;
      throw error;
    }
  };
}

/** The same for each integration, so the first one responds. */
const forAny = /^[/](?:openapi[.]json|integrations|pages|spaces|sites)$/;

/** The id of a delivery and the name of its integration. Each integration counts its own deliveries from 1. */
const named = /^((?:[/]deliveries[/])?dlv_\d+)(?:@|%40)([^/]+)/;

/** The paths whose responses have ids of deliveries. */
const hasDeliveries = /^[/](?:clock|deliveries|webhooks|events|calls[/])/;

const deliveryKeys = ['id', 'delivery', 'resentFrom', 'deliveries'];

/** Returns a value in which the ids of deliveries end with the name of their integration. */
function withName<Value>(value: Value, name: string, key = ''): Value {
  const isId = typeof value === 'string' && deliveryKeys.includes(key) && /^dlv_\d+$/.test(value);
  if (isId) return `${value}@${name}` as Value;
  if (Array.isArray(value)) return value.map((item: unknown) => withName(item, name, key)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([own, item]) => [own, withName<unknown>(item, name, own)]),
  ) as Value;
}

/** Returns another request of the same client. */
function requestLike({ url, headers, signal }: Request, init: RequestInit = {}): Request {
  const own = new Headers(headers);
  own.delete('content-length');
  return new Request(url, { ...init, headers: own, signal });
}

const post = (value: object): RequestInit => ({ method: 'POST', body: JSON.stringify(value) });

const noStore = { 'Cache-Control': 'no-store' };

/** Lists with different filters have different cursors for the same item. */
function keyOf(id: string, query: URLSearchParams): string {
  const filters = new URLSearchParams(query);
  filters.delete('before');
  filters.delete('limit');
  return `${id} ${filters.toString()}`;
}

const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? Infinity);

/** Takes items in order, and keeps the order of each part. */
function take(parts: readonly Part[], limit: number, isEarlier: (a: Item, b: Item) => boolean): Taken[] {
  const counts = parts.map(() => 0);
  const taken: Taken[] = [];
  while (taken.length < limit) {
    let next = -1;
    for (const [nth, { items }] of parts.entries()) {
      const item = items[counts[nth] ?? 0];
      const best = parts[next]?.items[counts[next] ?? 0];
      if (item && (!best || isEarlier(item, best))) next = nth;
    }
    const part = parts[next];
    const item = part?.items[counts[next] ?? 0];
    if (!part || !item) break;
    counts[next] = (counts[next] ?? 0) + 1;
    taken.push({ part, item, counts: [...counts] });
  }
  return taken;
}

/** Adds the numbers of several objects, also those in objects inside them. */
function sum(all: readonly Item[]): Item {
  const [first = {}] = all;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [
      name,
      typeof value === 'number'
        ? all.reduce((total, one) => total + Number(one[name]), 0)
        : sum(all.map((one) => one[name] as Item)),
    ]),
  );
}

const whichIntegration = (members: readonly JoinedMember[]): Response =>
  failure(
    400,
    'which-integration',
    `The session runs several integrations: ${members.map((one) => one.name()).join(', ')}.`,
    'Choose one of them. Commands have the option --integration, or use the one in whose folder they run.',
  );

const failure = (status: number, code: string, error: string, hint?: string): Response =>
  Response.json({ error, code, ...(hint !== undefined && { hint }) }, { status, headers: noStore });
