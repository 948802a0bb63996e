import { chmodSync } from 'node:fs';
import { createFixture } from 'fs-fixture';
import { expect, test } from 'vitest';
import { execCommand } from '../../../../src/cli/commands/dev/exec-after-start.js';
import type { Io } from '../../../../src/cli/context/io.js';

const urls = { site: 'http://127.0.0.1:4300/', console: 'a', envelope: 'b', api: 'c', publicEndpoint: 'd' };
const io = { takeInterrupts: () => new AbortController().signal } as Partial<Io> as Io;

test.each([
  ['exit 0', 0],
  ['exit 7', 7],
  ['test "$PLATFORM_API_URL$PLATFORM_PUBLIC_ENDPOINT" = cd', 0],
  ['test "$PLATFORM_SESSION" = /s.json', 0],
  ['test "$PLATFORM_WEBHOOK_SECRET" = whsec_1', 0],
  ['test "$PLATFORM_SITE" = "http://127.0.0.1:4300/#key=k"', 0],
  ['kill -TERM $$', 143],
  ['no-such-command-at-all 2>&-', 127],
])('runs "%s" after startup and returns its exit code %i', async (command, code) => {
  const end = await execCommand(command, {
    io,
    cwd: '/',
    urls,
    session: '/s.json',
    siteLink: 'http://127.0.0.1:4300/#key=k',
    webhookSecret: 'whsec_1',
    json: false,
  });
  expect(end).toEqual({ kind: 'child', code });
});

test('finds the commands of installed packages, including those in parent folders', async () => {
  await using fixture = await createFixture({
    'node_modules/.bin/greet': '#!/bin/sh\nexit 7\n',
    'integrations/chat/package.json': '{}',
  });
  chmodSync(fixture.getPath('node_modules/.bin/greet'), 0o755);
  const end = await execCommand('greet', {
    io,
    cwd: fixture.getPath('integrations/chat'),
    urls,
    session: '/s.json',
    siteLink: 'http://127.0.0.1:4300/#key=k',
    webhookSecret: undefined,
    json: false,
  });
  expect(end).toEqual({ kind: 'child', code: 7 });
});
