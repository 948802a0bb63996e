import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startDeliveryLog } from '../support/delivery-log.js';
import { linkPackage } from '../support/linked-package.js';
import { until } from './fleet.js';

const guide = new URL('../../docs/guides/scaling.md', import.meta.url);

test('runs the program in the guide exactly as printed', async () => {
  const [, program = ''] = /```js\n(\/\/ deliver\.mjs\n[^]*?)```/.exec(readFileSync(guide, 'utf8')) ?? [];
  const folder = linkPackage();
  writeFileSync(join(folder, 'deliver.mjs'), program);
  const log = await startDeliveryLog();
  onTestFinished(() => log.close());

  const child = spawn(process.execPath, ['deliver.mjs'], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: inject('postgres'), RECEIVER_URL: log.url, TARGETS: 'any' },
    stdio: 'inherit',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  await until(15_000, 'the event', async () => log.received.length === 1);
  expect(JSON.parse(log.received[0]?.body ?? '')).toMatchObject({ eventId: 'evt_1', url: '/start' });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
