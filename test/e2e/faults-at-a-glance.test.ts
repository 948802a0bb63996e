import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { useAuthorProject } from '../support/author-dev.js';
import { runCli, type CliResult } from '../support/run-cli.js';
import { manifestText } from '../support/manifest-text.js';

const author = useAuthorProject();

const cli = (...argv: string[]): Promise<CliResult> =>
  runCli(argv, { cwd: author.folder, clock: systemClock });

/** `platform dev` on an integration whose `fetch` has this body, from line 3. */
async function start(
  body: string,
  manifest = '',
): Promise<{ url: string; dev: ReturnType<typeof author.dev> }> {
  writeFileSync(
    join(author.folder, 'platform-manifest.yaml'),
    manifestText({
      name: 'author',
      more: `script: src/index.ts
${manifest}`,
    }),
  );
  writeFileSync(
    join(author.folder, 'src/index.ts'),
    `import { createIntegration } from 'integration-platform';
export default createIntegration({ async fetch(request, context) {
  ${body}
} });
`,
  );
  const dev = author.dev(['--timeout', '8']);
  await dev.prints(/ {2}Public +http/);
  await dev.prints(/site_installation_setup/);
  const [, url = ''] = / {2}Public +(\S+)/.exec(dev.text()) ?? [];
  return { url, dev };
}

test('shows the line of an infinite loop while the loop runs, and lets platform stop end it', async () => {
  const { url, dev } = await start(
    `if (request.url.endsWith('/loop')) for (;;); return new Response('fine');`,
  );
  const looping = fetch(`${url}/loop`);
  await dev.prints(
    /keeps the script busy at src\/index\.ts:3:\d+\.\s+Stop it with:\s+platform\s+stop call_\w+/,
  );
  const [, id = ''] = /platform\s+stop (call_\w+)/.exec(dev.text()) ?? [];
  const stopped = await cli('stop', id);
  expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining(`Stopped ${id}.`)]);
  expect((await looping).status).toBe(503);
  const { stdout } = await cli('logs', '--failed');
  expect(stdout).toMatch(/src\/index\.ts:3:\d+/);
  expect(stdout).toContain("3 |   if (request.url.endsWith('/loop')) for (;;);");
  expect(await (await fetch(`${url}/`)).text()).toBe('fine');
  const again = await cli('stop', id);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${id} has already responded.`)]);
  expect(again.stderr).toContain(`platform inspect ${id}`);
  expect((await cli('stop', 'call_0')).stderr).toContain('platform logs');
});

test('shows which loop in another call caused a call to time out', async () => {
  const { url, dev } = await start(
    `if (request.url.endsWith('/loop')) for (;;); return new Promise(() => setTimeout(() => {}, 60_000));`,
  );
  const waiting = fetch(`${url}/wait`);
  await expect.poll(async () => (await cli('logs', '--path', '/wait')).stdout).toContain('GET');
  const gone = new AbortController();
  const looping = fetch(`${url}/loop`, { signal: gone.signal }).catch(() => {});
  await dev.prints(/keeps the script busy at src/);
  gone.abort();
  expect((await waiting).status).toBe(504);
  await looping;
  const { stdout } = await cli('logs', '--path', '/wait');
  expect(stdout).toMatch(/did not respond within 8 s[^]*loop in call_\w+ blocked/);
  expect(stdout).not.toContain('index.ts:3');
  const loop = await cli('logs', '--path', '/loop');
  expect(loop.stdout).not.toContain('closed the connection');
  expect(loop.stdout).toContain("> 3 |   if (request.url.endsWith('/loop')) for (;;);");
});
