import { expect, test } from 'vitest';
import { findFaults, type FaultSearch } from '../../src/recordings/faults/find-faults.js';
import { replayCalls } from '../../src/recordings/replay-calls.js';
import { toRecorded } from '../../src/recordings/recorded-outcome.js';
import { replayInNode } from '../../src/sandbox/node/replay-in-node.js';
import { replayProgram } from '../support/child-program.js';
import { integration, sampleRecording } from '../recordings/sample-recording.js';
import { proved } from './proved.js';
import { usualHandlers, type UsualHandler } from './usual-handlers.js';

/** Like `createIntegration`: what a handler throws is logged and becomes a 500. */
const scriptOf = (handler: string): string => `export default { async fetch(request, env, context) {
  const form = await request.formData();
  const event = JSON.parse(form.get('event')); const environment = JSON.parse(form.get('environment'));
  try {
    ${handler}
  } catch (error) {
    console.error('[integrations]', error);
    return Response.json({ error: 'Internal server error' }, { status: 500 });
  }
} };`;

async function search(handler: string, call: UsualHandler['call']): Promise<FaultSearch> {
  const options = {
    integration,
    script: { code: scriptOf(handler) },
    run: replayInNode({ node: process.execPath, childFile: await replayProgram(), version: '1' }),
  };
  const inputs = sampleRecording(call);
  const [result] = await replayCalls({ ...options, recording: inputs });
  const [recorded] = inputs.calls;
  if (!result || !recorded) throw new Error('It was not replayed.');
  const outcome = toRecorded(result.outcome, recorded.outbound);
  expect(outcome.response?.status).toBeLessThan(400);
  expect(result.outcome.outbound.map(({ match }) => match)).toEqual(recorded.outbound.map(() => 'same'));
  return findFaults({ ...options, recording: { ...inputs, calls: [{ ...recorded, ...outcome }] } });
}

test('reports the omissions in incomplete handlers, and nothing for complete ones', async () => {
  expect(usualHandlers).toHaveLength(20);
  const rows = [];
  for (const { what, call, breaks, forgetful, careful } of proved(usualHandlers))
    for (const [handler, expected] of [
      [forgetful, breaks],
      [careful, [] as typeof breaks],
    ] as const) {
      const start = performance.now();
      const { found, variants, skipped } = await search(handler, call);
      expect(skipped, what).toEqual([]);
      const rules = [...new Set(found.map(({ rule }) => rule))];
      rows.push({
        what: `${what}${expected.length > 0 ? '' : ', carefully'}`,
        false: rules.filter((rule) => !expected.includes(rule)).join(', '),
        missed: expected.filter((rule) => !rules.includes(rule)).join(', '),
        variants,
        ms: Math.round((performance.now() - start) / Math.max(1, variants)),
      });
    }
  console.table(rows);
  expect(rows.filter((row) => row.false !== '' || row.missed !== '')).toEqual([]);
}, 120_000);
