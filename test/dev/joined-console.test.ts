import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/base/clock.js';
import { describeMissing } from '../../src/protocol/missing-integrations.js';
import { createJoinedConsole } from '../../src/dev/joined-console.js';

interface Line {
  id: string;
  time: number;
  position: number;
  integration?: string;
}

/** Answers as the console API of one integration does. */
function createMember(name: string, times: readonly number[], moves: string[] = []) {
  const lines = times.map((time, nth): Line => ({ id: `${name}_${nth}`, time, position: (nth + 1) * 3 }));
  let send: ((data: object) => void) | undefined;
  const clock = { now: 0, ahead: 0, due: [] as { at: number; what: string; id: string; title: string }[] };
  const fetchConsole = async (request: Request): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(request.url);
    expect(request.headers.get('x-platform-token')).toBe(`key of ${name}`);
    const limit = Number(query.get('limit') ?? 1000);
    switch (pathname.replace('/console/api', '')) {
      case '/calls': {
        const ids = query.get('ids')?.split(',');
        const found = lines.filter(
          ({ id, position }) =>
            (ids?.includes(id) ?? true) &&
            position > Number(query.get('after') ?? 0) &&
            position < Number(query.get('before') ?? Infinity),
        );
        return Response.json(query.has('after') ? found.slice(0, limit) : found.slice(-limit));
      }
      case '/deliveries': {
        const newest = lines.map(({ id, time }) => ({ id, createdAt: time })).reverse();
        const start = newest.findIndex(({ id }) => id === query.get('before')) + 1;
        if (query.has('before') && start === 0) return Response.json({}, { status: 404 });
        return Response.json(newest.slice(start, start + limit));
      }
      case '/clock': {
        if (request.method === 'GET') return Response.json(clock);
        const { to } = (await request.json()) as { to: number };
        const passed = clock.due.filter(({ at }) => at <= to);
        clock.due = clock.due.filter((one) => !passed.includes(one));
        moves.push(...passed.map(({ at }) => `${name} ${at}`));
        clock.now = to;
        const happened = passed.map((one) => ({ ...one, what: 'call', result: 'ok', failed: false }));
        return Response.json({ now: to, ahead: to, done: true, happened });
      }
      case '/failures/replay': {
        const { calls } = (await request.json()) as { calls: string[] };
        return Response.json(calls.map((call) => ({ call, verdict: `by ${name}` })));
      }
      case '/overview':
        return Response.json({ integration: { name }, installations: [], versionSince: times[0] });
      case '/calls/count':
        return Response.json({ matching: lines.length, all: lines.length });
      case '/stream':
        return new Response(
          new ReadableStream({
            start(controller) {
              let number = 0;
              send = (data) => {
                number += 1;
                const message = `event: call-finished\nid: x.${number}\ndata: ${JSON.stringify(data)}\n\n`;
                controller.enqueue(new TextEncoder().encode(message));
              };
            },
          }),
        );
      default:
        return Response.json({ answeredBy: name, method: request.method });
    }
  };
  return {
    add(time: number): void {
      lines.push({ id: `${name}_${lines.length}`, time, position: (lines.length + 1) * 3 });
    },
    send: (data: object) => send?.(data),
    clock,
    lines,
    member: {
      id: name,
      key: `key of ${name}`,
      name: () => name,
      reason: undefined,
      emulator: { fetchConsole } as never,
    },
  };
}

function join(...members: ReturnType<typeof createMember>[]) {
  const closing = new AbortController();
  const fetchJoined = createJoinedConsole(() => members.map(({ member }) => member), {
    timers: createVirtualClock(),
    closing: closing.signal,
  });
  const send = (path: string, init?: RequestInit) =>
    fetchJoined(new Request(`http://127.0.0.1/console/api${path}`, init));
  const list = async <Item = Line>(path: string) => (await (await send(path)).json()) as Item[];
  return { send, list, closing };
}

const sorted = (...members: ReturnType<typeof createMember>[]): string[] =>
  members
    .flatMap(({ lines }) => lines)
    .sort((a, b) => a.time - b.time)
    .map(({ id }) => id);

test.each([1, 2, 3, 7])('pages through the calls of all, %i at a time, each once', async (limit) => {
  const members = [
    createMember('a', [1, 5, 9, 13, 17]),
    createMember('b', [2, 3, 4, 18]),
    createMember('none', []),
    createMember('old', [0.5]),
  ];
  const { list } = join(...members);
  const seen: Line[] = [];
  for (let before = ''; ;) {
    const page = await list(`/calls?limit=${limit}${before}`);
    if (page.length === 0) break;
    seen.unshift(...page);
    before = `&before=${page[0]?.position}`;
  }
  expect(seen.map(({ id }) => id)).toEqual(sorted(...members));
  expect(seen.every(({ id, integration }) => id.startsWith(`${integration}_`))).toBe(true);

  // Continues after the newest call with those that are added later.
  members[2]?.add(20);
  members[1]?.add(21);
  members[2]?.add(22);
  const added: string[] = [];
  for (let after = seen.at(-1)?.position; ;) {
    const page = await list(`/calls?limit=${limit}&after=${after}`);
    if (page.length === 0) break;
    added.push(...page.map(({ id }) => id));
    after = page.at(-1)?.position;
  }
  expect(added).toEqual(['none_0', 'b_4', 'none_1']);
});

test('keeps the order of an integration whose clock was moved back', async () => {
  const moved = createMember('moved', [10, 20, 5, 6]);
  const { list } = join(moved, createMember('other', [15]));
  const [first, ...newest] = await list('/calls?limit=4');
  const rest = await list(`/calls?limit=4&before=${first?.position}`);
  const ids = [...rest, first, ...newest].map((line) => line?.id ?? '');
  expect(ids.filter((id) => id.startsWith('moved'))).toEqual(['moved_0', 'moved_1', 'moved_2', 'moved_3']);
  expect(ids).toHaveLength(5);
});

test('pages through the deliveries of all', async () => {
  const { list } = join(createMember('a', [1, 4, 5]), createMember('b', [2, 3, 6]));
  const seen: string[] = [];
  for (let before = ''; ;) {
    const page = await list(`/deliveries?limit=2${before}`);
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
    before = `&before=${page.at(-1)?.id}`;
  }
  expect(seen).toEqual(['b_2', 'a_2', 'a_1', 'b_1', 'b_0', 'a_0']);
});

test('pages through a list regardless of lists with another filter', async () => {
  const { list } = join(createMember('a', [1, 3]), createMember('b', [2, 4]));
  const [, second] = await list('/deliveries?limit=2');
  await list('/deliveries?integration=a');
  const rest = await list(`/deliveries?limit=2&before=${second?.id}`);
  expect(rest.map(({ id }) => id)).toEqual(['b_0', 'a_0']);
});

test('names the integration in the ids of deliveries, because each counts its own from 1', async () => {
  const members = ['a', 'b'].map((name, nth) => {
    const made = createMember(name, []);
    const fetchConsole = async ({ url }: Request): Promise<Response> => {
      const delivery = { id: 'dlv_1', createdAt: nth, resentFrom: 'dlv_1' };
      if (url.includes('/clock')) return Response.json({ now: 0, due: [{ at: 1, id: 'dlv_1', title: 'x' }] });
      if (url.includes('/deliveries/dlv_1')) return Response.json({ delivery, body: 'dlv_1', of: name });
      return Response.json(url.includes('before=dlv_1&') ? [] : [delivery]);
    };
    return { ...made, member: { ...made.member, emulator: { fetchConsole } as never } };
  });
  const { send, list } = join(...members);
  const listed = await list('/deliveries');
  expect(listed).toMatchObject([
    { id: 'dlv_1@b', resentFrom: 'dlv_1@b', integration: 'b' },
    { id: 'dlv_1@a', resentFrom: 'dlv_1@a', integration: 'a' },
  ]);
  expect(await list('/deliveries?before=dlv_1%40a&limit=5')).toEqual([]);
  for (const { id, integration } of listed)
    expect(await (await send(`/deliveries/${encodeURIComponent(id)}`)).json()).toMatchObject({
      delivery: { id },
      body: 'dlv_1',
      of: integration,
    });
  expect(await list('/clock')).toMatchObject({ due: [{ id: 'dlv_1@a' }, { id: 'dlv_1@b' }] });
  const statuses = ['dlv_1@stopped', 'dlv_1'].map(
    async (id) => (await send(`/deliveries/${id}/resend`, { method: 'POST' })).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 400]);
});

test('filters all lists by integration', async () => {
  const { send, list } = join(createMember('a', [1, 3]), createMember('b', [2]));
  expect((await list('/calls?integration=a')).map(({ id }) => id)).toEqual(['a_0', 'a_1']);
  expect((await list('/deliveries?integration=b')).map(({ id }) => id)).toEqual(['b_0']);
  expect(await (await send('/calls/count?integration=b')).json()).toEqual({ matching: 1, all: 1 });
  const unknown = await send('/calls?integration=c');
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    { code: 'not-found', error: 'Unknown integration: c. The session runs a, b.' },
  ]);
});

test('moves the clocks of all together, and runs what is due in the order of its time', async () => {
  const moves: string[] = [];
  const members = [createMember('a', [], moves), createMember('b', [], moves)];
  const due = (at: number, what = 'task') => ({ at, what, id: `${at}`, title: 'sync' });
  members[0]?.clock.due.push(due(10), due(30));
  members[1]?.clock.due.push(due(15, 'expiry'), due(20), due(40), due(60));
  const { send, list } = join(...members);
  const post = async (body: object) =>
    (await send('/clock', { method: 'POST', body: JSON.stringify(body) })).json();
  expect(await post({ to: 50 })).toMatchObject({ now: 50, done: true });
  expect(moves.filter((move) => !move.endsWith('15'))).toEqual(['a 10', 'b 20', 'a 30', 'b 40']);
  expect(members.map(({ clock }) => clock.now)).toEqual([50, 50]);
  expect(await post({ to: 100, untilIdle: true })).toMatchObject({ now: 60, done: true });
  expect(await list('/clock')).toMatchObject({ now: 60, due: [] });
});

test.each([
  ['responds with an error', () => Response.json({ error: 'broken' }, { status: 500 })],
  ['is stopped in the middle', () => Promise.reject(new Error('closed'))],
])('shows the entries of the others if one of several integrations %s', async (_, answer) => {
  const moves: string[] = [];
  const [a, b] = [createMember('a', [1, 3], moves), createMember('b', [2], moves)];
  a.clock.due.push({ at: 10, what: 'task', id: '10', title: 'sync' });
  const broken = { ...b, member: { ...b.member, emulator: { fetchConsole: async () => answer() } as never } };
  const { send, list } = join(a, broken);
  const calls = await send('/calls');
  expect(describeMissing(calls)).toBe('No response from b. The other entries are shown.');
  expect(await calls.json()).toMatchObject([{ id: 'a_0' }, { id: 'a_1' }]);
  expect((await list('/deliveries')).map(({ id }) => id)).toEqual(['a_1', 'a_0']);
  expect(await list('/calls/count')).toEqual({ matching: 2, all: 2 });
  expect(await list('/calls/a_0')).toMatchObject({ answeredBy: 'a' });
  expect((await send('/calls/b_0')).status).toBe(503);
  const moved = await send('/clock', { method: 'POST', body: JSON.stringify({ to: 50 }) });
  expect(moved.headers.get('x-platform-missing')).toBe('b');
  expect(await moved.json()).toMatchObject({ done: true, happened: [{ id: '10' }] });
  await expect(
    join(broken)
      .send('/calls')
      .then(
        ({ ok }) => ok,
        () => false,
      ),
  ).resolves.toBe(false);
});

test('keeps what has happened if all integrations fail while the clock moves', async () => {
  const made = createMember('a', []);
  const due = (at: number) => ({ at, what: 'task', id: `${at}`, title: 'sync' });
  made.clock.due.push(due(10), due(20));
  const { fetchConsole } = made.member.emulator as { fetchConsole(request: Request): Promise<Response> };
  const untilFirst = (request: Request): Promise<Response> =>
    made.clock.due.length === 2 ? fetchConsole(request) : Promise.reject(new Error('closed'));
  const { send } = join({
    ...made,
    member: { ...made.member, emulator: { fetchConsole: untilFirst } as never },
  });
  const moved = await send('/clock', { method: 'POST', body: JSON.stringify({ to: 50 }) });
  expect(await moved.json()).toMatchObject({ done: false, happened: [{ id: '10' }] });
});

test('lets each integration replay its own failures', async () => {
  const { send } = join(createMember('a', [1]), createMember('b', [2, 3]), createMember('c', [4]));
  const body = JSON.stringify({ calls: ['b_0', 'a_0', 'b_1'] });
  expect(await (await send('/failures/replay', { method: 'POST', body })).json()).toEqual([
    { call: 'a_0', verdict: 'by a' },
    { call: 'b_0', verdict: 'by b' },
    { call: 'b_1', verdict: 'by b' },
  ]);
});

test('counts from the earliest save of all, regardless of those that were never built', async () => {
  const { list } = join(createMember('none', []), createMember('a', [7]), createMember('b', [5]));
  expect(await list('/overview')).toMatchObject({ versionSince: 5, integration: { name: '*' } });
});

test('adds counts, and rejects positions that it did not return', async () => {
  const { send } = join(createMember('a', [1]), createMember('b', [2, 3]));
  expect(await (await send('/calls/count')).json()).toEqual({ matching: 3, all: 3 });
  expect((await send('/calls?before=99')).status).toBe(400);
});

test('passes what is about one call to its integration, and asks which one to change', async () => {
  const { send } = join(createMember('a', [1]), createMember('b', [2]));
  const answer = async (path: string, method: string) => (await send(path, { method })).json();
  expect(await answer('/calls/b_0/replay', 'POST')).toEqual({ answeredBy: 'b', method: 'POST' });
  expect(await answer('/deliveries/b_0/resend', 'POST')).toMatchObject({ code: 'which-integration' });
  expect(await answer('/configuration', 'PUT')).toMatchObject({
    code: 'which-integration',
    error: expect.stringContaining('a, b'),
  });
});

test('joins the streams, and resumes where a reader stopped', async () => {
  const [a, b] = [createMember('a', []), createMember('b', [])];
  const { send, closing } = join(a, b);
  const open = async (after?: string) => {
    const headers = after === undefined ? {} : { 'last-event-id': after };
    const reader = (await send('/stream', { headers }))
      .body!.pipeThrough(new TextDecoderStream())
      .getReader();
    let text = '';
    return async (wanted: string): Promise<string> => {
      while (!text.includes(wanted)) text += (await reader.read()).value ?? '';
      return text;
    };
  };
  const read = await open();
  await read('event: hello');
  a.send({ call: { id: 'one' } });
  const [, id] = [...(await read('"id":"one","integration":"a"')).matchAll(/^id: (.*)$/gm)].at(-1) ?? [];
  b.send({ call: { id: 'two' } });
  await read('"id":"two","integration":"b"');
  const resumed = await (await open(id))('"id":"two"');
  expect(resumed).not.toContain('"id":"one"');
  closing.abort();
});
