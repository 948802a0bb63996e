import { expect, test } from 'vitest';
import { execCommand } from '../../../../src/cli/commands/dev/exec-after-start.js';
import type { Io } from '../../../../src/cli/context/io.js';

const urls = { console: 'a', envelope: 'b', api: 'c', publicEndpoint: 'd' };
const io = { takeInterrupts: () => new AbortController().signal } as Partial<Io> as Io;

test.each([
  ['exit 0', 0],
  ['exit 7', 7],
  ['test "$PLATFORM_API_URL$PLATFORM_PUBLIC_ENDPOINT" = cd', 0],
  ['test "$PLATFORM_WEBHOOK_SECRET" = whsec_1', 0],
  ['kill -TERM $$', 143],
  ['no-such-command-at-all 2>&-', 127],
])('%s ends with %i', async (command, code) => {
  const end = await execCommand(command, { io, cwd: '/', urls, webhookSecret: 'whsec_1', json: false });
  expect(end).toEqual({ kind: 'child', code });
});
