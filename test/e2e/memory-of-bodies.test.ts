import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('does not report that a template retains the 1 MiB body sent by webhook test', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'receiver');
  await runCli('init receiver --template webhook-receiver --organization acme'.split(' '), { cwd: parent });
  const secret = /^WEBHOOK_SECRET=(.*)$/m.exec(readFileSync(join(folder, '.env'), 'utf8'))?.[1] ?? '';
  const dev = devHere(folder, ['--port', '0', '--state', 'memory']);
  try {
    await dev.prints(/site_installation_setup/);
    const url = `${/Public +(\S+)/.exec(dev.text())?.[1] ?? ''}/webhook`;
    const given = { cwd: folder, clock: systemClock };
    const { code, stdout } = await runCli(['webhook', 'test', '--to', url, '--secret', secret], given);
    expect(code, stdout).toBe(0);
    await dev.prints(/GET +\/webhook +405/);
    expect(dev.text()).not.toContain('MB more');
  } finally {
    await dev.stop();
  }
});
