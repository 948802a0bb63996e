import { expect, test } from 'vitest';
import { renderLog, renderNear, renderNews } from '../../../src/cli/session/live-lines.js';
import { createStyle } from '../../../src/terminal/style.js';
import type { Delivery } from '../../../src/webhooks/model/delivery.js';

const view = { style: createStyle(false), width: 60, wrapAt: Infinity };

const delivery = {
  id: 'dlv_1',
  endpointId: 'whe_1',
  installationId: 'installation_1',
  eventId: 'evt_1',
  eventType: 'site_view',
  phase: 'waiting',
  createdAt: 0,
  requests: 0,
  crashes: 0,
  bodyBytes: 2,
} as const;

test.each<[Delivery['state'], number, string]>([
  ['pending', 0, 'webhook dlv_1 pending'],
  ['retrying', 2, 'webhook dlv_1 retrying, attempt 2'],
  ['delivered', 3, 'webhook dlv_1 delivered, attempt 3'],
])('shows a delivery that is %s after %i attempts as "%s"', (state, attempts, line) => {
  const event = { type: 'delivery', delivery: { ...delivery, state, attempts } } as const;
  expect(renderNews(event, view)?.trim()).toBe(line);
});

test('prints the next command only for a delivery that has failed', () => {
  const attempt = {
    number: 1,
    startedAt: 0,
    durationMs: 5,
    result: { kind: 'answer', status: 401, headers: [], body: { content: '', truncated: false } },
  } as never;
  const render = (state: Delivery['state']): string | undefined =>
    renderNews({ type: 'delivery', delivery: { ...delivery, state, attempts: 1 }, attempt } as never, view);
  expect(render('failed')?.split('\n').at(-1)?.trim()).toBe('next: platform inspect dlv_1');
  expect(render('retrying')).not.toContain('next: platform');
});

test('does not wrap the lines of a warning', () => {
  const message = 'The event space_view needs the scope space:content:read.';
  expect(renderNews({ type: 'warning', code: 'missing-scope', message }, view)).toBe(
    ['          warning The event space_view needs the scope', '                  space:content:read.'].join(
      '\n',
    ),
  );
});

test('collapses consecutive stack frames from packages into one line', () => {
  const text = [
    'Error: Oh',
    '    at fetch (src/index.tsx:9:33)',
    '    at dispatchEvent (node_modules/integration-platform/dist/sdk/index.mjs:386:29)',
  ].join('\n');
  const [, own = '', foreign = ''] = renderLog(
    { level: 'error', text },
    { style: createStyle(true), width: 80, wrapAt: 80 },
  );
  expect(own.trim()).toBe('at fetch (src/index.tsx:9:33)');
  expect(foreign.trim()).toBe('\u001B[2m    … 1 frame outside of your code\u001B[22m');
});

test('shows which limits a call almost reached', () => {
  const near = [
    { name: 'timeMs', used: 25_149, limit: 30_000 },
    { name: 'outboundRequests', used: 42, limit: 50 },
  ] as const;
  expect(renderNear(near, createStyle(false))).toEqual([
    '          limit time 25.1 s of 30 s',
    '          limit outbound requests 42 of 50',
  ]);
});

test('indents a wrapped message below its first line in a terminal, but does not wrap it in a pipe', () => {
  const text = "TypeError: Cannot read properties of undefined (reading 'name')";
  expect(renderLog({ level: 'error', text }, { ...view, wrapAt: 60 })).toEqual([
    "          error TypeError: Cannot read properties of\n                undefined (reading 'name')",
  ]);
  expect(renderLog({ level: 'error', text }, view)).toEqual([`          error ${text}`]);
});
