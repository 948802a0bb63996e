import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDev, type DevSession } from '../support/dev-session.js';
import { killUnderLoad } from '../support/kill-under-load.js';
import { obedientProject } from '../support/obedient-project.js';

const project = obedientProject();
let session: DevSession;
beforeAll(async () => {
  session = await startDev(project.folder);
}, 60_000);
afterAll(async () => {
  await session.stop();
  project.remove();
});

test('keeps platform dev running after its script was killed 100 times under load', async () => {
  const toll = await killUnderLoad(
    { platform: session.process.pid, endpoint: session.urls.publicEndpoint },
    100,
  );
  console.log('platform dev, its script killed', toll);
  expect(Object.keys(toll.answers)).toEqual(['200', '502']);
  expect(toll.slowestFailureMs).toBeLessThan(1_000);
  expect(toll.slowestRecoveryMs).toBeLessThan(2_000);
}, 300_000);
