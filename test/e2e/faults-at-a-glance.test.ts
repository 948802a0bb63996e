import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { useAuthorProject } from '../support/author-dev.js';
import { runCli, type CliResult } from '../support/run-cli.js';
import { serve } from '../support/serve.js';

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
    `name: author
title: Author
description: Has faults.
organization: my-org
visibility: private
scopes: []
script: src/index.ts
${manifest}`,
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

test('an endless loop is shown with its line while it runs, and platform stop ends it', async () => {
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
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${id} has responded.`)]);
  expect((await cli('stop', 'call_0')).stderr).toContain('platform logs');
});

test('a handler that returns nothing is shown with its line', async () => {
  const { url } = await start(`new Response('forgotten');`);
  expect((await fetch(url)).status).toBe(500);
  const { stdout } = await cli('logs', '--failed');
  expect(stdout).toContain('"fetch" handler returned no Response');
  expect(stdout).toMatch(/src\/index\.ts:2:\d+/);
});

const manifest = `secrets:
  API_KEY: \${{ env.API_KEY_THAT_IS_UNSET }}
configurations:
  account:
    properties:
      channel: { type: string, title: Channel, description: Where to post. }
`;

/** Each fault has a path and one line of code. The page at `outside` is HTML. */
const faults: readonly [path: string, code: (outside: string) => string, shows: RegExp][] = [
  ['throws', () => `null.length`, /TypeError[^]*src\/index\.ts:\d+:\d+/],
  [
    'background',
    () => `context.waitUntil(Promise.reject(new Error('No index.')))`,
    /waitUntil failed Error: No index\.[^]*src\/index\.ts:\d+/,
  ],
  ['html', (outside) => `await (await fetch('${outside}')).json()`, /responded with HTML\s+instead of JSON/],
  [
    'swallowed',
    () => `await fetch('http://127.0.0.1:1/').catch(() => {})`,
    /127\.0\.0\.1:1\/ (?:failed|got)/,
  ],
  [
    'secret',
    () => `context.environment.secrets.API_KEY.trim()`,
    /src\/index\.ts:\d+:\d+[^]*The secret API_KEY has\s+no\s+value/,
  ],
  [
    'property',
    () => `context.environment.installation.configuration.channel.trim()`,
    /src\/index\.ts:\d+:\d+[^]*no value for\s+channel\.\s+Set\s+it\s+with:/,
  ],
  ['scope', () => `await context.api.request('GET', 'spaces/space_local/content')`, /space:content:read/],
  [
    'status',
    (outside) => `(await fetch('${outside}/missing')).ok || (() => { throw new Error('No.') })()`,
    /responded with 404/,
  ],
  ['nothing', () => `return`, /returned no Response[^]*src\/index\.ts:\d+:\d+/],
  ['memory', () => `(globalThis.kept ??= []).push(new Float64Array(12e6).fill(1))`, /keeps \d+ MB more/],
];

test('one command shows the line or the reason of each fault', async () => {
  const outside = await serve((request) =>
    request.url.endsWith('/missing')
      ? new Response('', { status: 404 })
      : new Response('<!doctype html><title>Sign in</title>', { headers: { 'content-type': 'text/html' } }),
  );
  onTestFinished(() => outside.close());
  const lines = faults.map(
    ([path, code]) => `if (request.url.endsWith('/${path}')) { ${code(outside.url)}; }`,
  );
  const { url } = await start(`${lines.join('\n  ')}\n  return new Response('fine');`, manifest);
  const rows: string[] = [];
  for (const [path, , shows] of faults) {
    for (let times = path === 'memory' ? 2 : 1; times > 0; times -= 1)
      await (await fetch(`${url}/${path}`)).text();
    const { stdout } = await cli('logs', '--path', `/${path}`, '--limit', '1');
    expect.soft(stdout, path).toMatch(shows);
    rows.push(
      `${path.padEnd(12)}${shows.exec(stdout)?.[0].replaceAll(/\s+/g, ' ').slice(0, 90) ?? 'not shown'}`,
    );
  }
  console.log(`by platform logs --path:\n${rows.join('\n')}`);
});
