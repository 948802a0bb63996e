import { expect, test } from 'vitest';
import { obedient } from '../sandbox/sample-call.js';
import { killScript } from '../sandbox/kill-script.js';
import { startSandbox } from '../sandbox/start-sandbox.js';

test('responds with 502 to pending requests and serves new ones after each of 100 kills under load', async () => {
  const started = await startSandbox();
  await started.sandbox.load(obedient);
  const { statuses, slowest } = await killScript(started, 100);
  console.log({ kills: 100, statuses, slowest });
  expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([200, 502]);
  expect(slowest.failure).toBeLessThan(1000);
  expect(slowest.recovery).toBeLessThan(2000);
}, 60_000);
