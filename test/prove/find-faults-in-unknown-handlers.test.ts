import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { findFaults, type FaultSearch } from '../../src/recordings/faults/try-faults.js';
import type { RecordedCall } from '../../src/recordings/index.js';
import { PLATFORM } from '../../src/recordings/recorded-environment.js';
import { replayCalls } from '../../src/recordings/replay-calls.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { replayProgram } from '../support/child-program.js';
import { integration, sampleRecording } from '../recordings/sample-recording.js';
import { proved } from '../support/proved.js';

type Exchange = [
  method: string,
  path: string,
  status: number,
  body: unknown,
  headers?: Record<string, string>,
];

interface Handler {
  /** Absent for a handler that is right. */
  mistake?: string;
  event: RecordedCall['event'];
  storage?: Record<string, string>;
  exchanges: Exchange[];
}

interface Handlers {
  folder: string;
  environment: { secrets: { API_TOKEN: string } };
  handlers: Record<string, Handler>;
}

function readHandlers(name: string): Handlers {
  const folder = join(import.meta.dirname, '../fixtures', name);
  const calls = JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8')) as Omit<Handlers, 'folder'>;
  return { folder, ...calls };
}

const STORE = `${PLATFORM}/api/installation`;

function scriptOf({ folder, environment }: Handlers, file: string, storage: Record<string, string>): string {
  const source = readFileSync(join(folder, file), 'utf8').replace('export default ', '');
  return `${transformSync(source, { loader: 'ts' }).code}
export default { async fetch(request, env, context) {
  const form = await request.formData();
  const waitUntil = (promise) => context.waitUntil(promise);
  const storage = new Map(Object.entries(${JSON.stringify(storage)}));
  let changed = false;
  for (const name of ['set', 'delete']) storage[name] = (...args) => { changed = true; return Map.prototype[name].apply(storage, args); };
  try {
    return await handler(JSON.parse(form.get('event')), { environment: ${JSON.stringify(environment)}, waitUntil, storage });
  } catch (error) {
    console.error('[integrations]', error);
    return Response.json({ error: 'Internal server error' }, { status: 500 });
  } finally {
    // What a handler stores is stored on the platform, as in an integration.
    if (changed)
      await fetch('${STORE}', { method: 'PATCH', body: JSON.stringify(Object.fromEntries(storage)) });
  }
} };`;
}

async function search(
  all: Handlers,
  file: string,
  { event, storage = {}, exchanges }: Handler,
): Promise<FaultSearch> {
  const options = {
    integration,
    script: { code: scriptOf(all, file, storage) },
    run: replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' }),
  };
  const call: Partial<RecordedCall> = {
    event: { installationId: 'ins_1', eventId: 'evt_1', ...event },
    outbound: [
      ...exchanges.map(([method, path, status, body, headers]) => ({
        send: `${method} https://api.example.com${path}`,
        answer: { status, ...(headers && { headers }), ...(body !== null && { body: body as object }) },
        ms: 30,
      })),
      { send: `PATCH ${STORE}`, answer: { status: 200 }, ms: 5 },
    ],
  };
  const { API_TOKEN } = all.environment.secrets;
  const inputs = { ...sampleRecording(call), secrets: { API_TOKEN } };
  const [result] = await replayCalls({ ...options, recording: inputs });
  const [recorded] = inputs.calls;
  if (!result || !recorded) throw new Error('It was not replayed.');
  // Now with the bodies that the handler sends.
  const outcome = toRecorded(result.outcome, recorded.outbound);
  expect(outcome.response?.status, file).toBeLessThan(400);
  return findFaults({ ...options, recording: { ...inputs, calls: [{ ...recorded, ...outcome }] } });
}

async function searchAll(all: Handlers, few?: number) {
  const rows = [];
  for (const [file, handler] of proved(Object.entries(all.handlers), few)) {
    const start = performance.now();
    const { found, variants, skipped } = await search(all, file, handler);
    expect(skipped, file).toEqual([]);
    const rules = [...new Set(found.map(({ rule }) => rule))].join(', ');
    const ms = Math.round((performance.now() - start) / variants);
    rows.push({ file, mistake: handler.mistake ?? '', rules, variants, ms });
  }
  console.table(rows.map(({ mistake, ...row }) => ({ ...row, is: mistake === '' ? 'right' : 'wrong' })));
  return rows;
}

test('finds known mistakes in handlers written by other authors, and reports nothing for correct handlers', async () => {
  // Written by someone who did not know the rules: 20 handlers are right, and 20 contain one mistake.
  const rows = await searchAll(readHandlers('fault-handlers'), 2);
  expect(rows.filter(({ mistake, rules }) => mistake === '' && rules !== '')).toEqual([]);
  const found = rows
    .filter(({ rules }) => rules !== '')
    .map(({ file, rules }) => `${file.slice(0, 2)} ${rules}`);
  const expected = [
    '02 lost-change',
    '03 uncaught-error',
    '07 lost-data',
    '09 repeated-change',
    '12 uncaught-error',
    '13 repeated-change',
    '18 no-time-limit',
    '22 uncaught-error',
    '25 unawaited-request',
    '31 many-requests',
    '33 leaked-secret',
  ];
  expect(found).toEqual(proved(expected));
}, 120_000);

test('reports nothing for careful handlers that store less, redirect or respond with older data after a failure', async () => {
  const careful = readHandlers('careful-handlers');
  expect(Object.keys(careful.handlers)).toHaveLength(10);
  const rows = await searchAll(careful);
  expect(rows.filter(({ rules }) => rules !== '')).toEqual([]);
}, 60_000);
