import { createHook } from 'node:async_hooks';
import { createTestPlatform } from 'integration-platform/testing';
import { expect, test } from 'vitest';
import { formManifest } from './form-platform.js';
import { integration } from './integration.js';

/** What Node has started since: sockets, processes, threads, files and timers longer than a turn of the loop. */
function watchResources(): { started: string[]; stop(): void } {
  const started: string[] = [];
  const slow = /WRAP|WORKER|FSREQ|FILEHANDLE|Timeout/;
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (!slow.test(type)) return;
      const { _idleTimeout: ms } = resource as { _idleTimeout?: number };
      started.push(type === 'Timeout' ? `Timeout of ${ms} ms` : type);
    },
  }).enable();
  return { started, stop: () => void hook.disable() };
}

/** Time would depend on what else the machine does; this does not. */
test('opens no ports or files, and leaves nothing running', async () => {
  const manifest = formManifest();
  const use = async (): Promise<void> => {
    const platform = await createTestPlatform({ integration, manifest });
    await platform.install();
    await platform.render('form');
    await platform.close();
  };
  await use();
  const { started, stop } = watchResources();
  await use();
  stop();
  // The limit that close() sets to work that does not end. Nothing waits for it.
  expect(started).toEqual(['Timeout of 1000 ms', 'Timeout of 1000 ms']);
});

test('starts and closes twenty platforms in less than two seconds of CPU time', async () => {
  const manifest = formManifest();
  const before = process.cpuUsage();
  for (let round = 0; round < 20; round++) {
    const platform = await createTestPlatform({ integration, manifest });
    await platform.install();
    await platform.render('form');
    await platform.close();
  }
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1000;
  console.log(
    `testing: create, install, render and close took ${(ms / 20).toFixed(1)} ms of processor time each`,
  );
  expect(ms).toBeLessThan(2000);
});
