import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodedTexts } from '../support/decoded-texts.js';
import { devHere, type DevHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { canaries, configured, known, rendered, type Canary } from './recording-canaries.js';
import { sharedFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = sharedFolder();

const manifest = `name: canaries
title: Canaries
description: Passes on all that it receives.
organization: acme
visibility: private
scopes: []
script: index.tsx
secrets:
${known.map(({ name }) => `  ${name}: \${{ env.${name} }}`).join('\n')}
blocks:
  - id: card
    title: Card
    description: A card.
configurations:
  account:
    properties:
      provider: { type: string, title: Provider }
${configured.map(({ property }) => `      ${property}: { type: string, title: Value }`).join('\n')}
`;

const source = `import { createComponent, createIntegration } from 'integration-platform';
export default createIntegration({
  components: [createComponent({ componentId: 'card', initialState: {}, action: async () => ({}), render: async (element: any) => <block><text>{JSON.stringify(element.state)}</text></block> })],
  async fetch(request, { environment }: any) {
    const url = new URL(request.url);
    const at = url.searchParams.get('at');
    const body = new Uint8Array(await request.arrayBuffer());
    const provider = environment.installation.configuration.provider;
    const answer = await fetch(provider + '/' + at + url.search, { method: 'POST', headers: request.headers.get('x-forward') ? {} : { authorization: request.headers.get('authorization') ?? '' }, body });
    const text = await answer.text();
    console.log(text);
    return Response.json({ text, path: url.pathname, headers: [...answer.headers], configuration: environment.installation.configuration });
  },
});
`;

let dev: DevHere;
let provider: Awaited<ReturnType<typeof serve>>;
let report: Record<string, unknown> = {};
let text = '';
let printed = '';
/** What the configuration was set to is not a call. */
const calls = canaries.length + rendered.length;

const cli = async (...argv: string[]): Promise<string> => {
  const { stdout, stderr } = await runCli(argv, { cwd: folder });
  if (stdout === '') throw new Error(stderr);
  return stdout;
};

beforeAll(async () => {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/integration-platform'), 'dir');
  writeFileSync(join(folder, 'index.tsx'), source);
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest);
  provider = await serve((request) => {
    const at = Number(new URL(request.url).pathname.slice(1));
    return canaries[at]?.answer?.() ?? new Response('fine');
  });
  const env = Object.fromEntries(known.map(({ name, value }) => [name, value]));
  dev = devHere(folder, ['--port', '0'], { env });
  await dev.prints(/in site_local/);
  const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  const values = configured.map(({ property, value }) => `${property}=${value}`);
  await cli('config', 'set', `provider=${provider.url}`, ...values);
  for (const [at, { request }] of canaries.entries()) {
    const { path = '/', query = '', ...init } = request?.() ?? {};
    const answered = await fetch(`${endpoint}${path}?at=${at}${query}`, { method: 'POST', ...init });
    expect(answered.status, canaries[at]?.what).toBe(200);
    await answered.text();
  }
  for (const { state, action } of rendered)
    await cli(
      'render',
      'card',
      '--state',
      JSON.stringify(state),
      ...(action ? ['--action', JSON.stringify(action)] : []),
    );
  report = JSON.parse(await cli('record', 'all', '--last', String(calls), '--json')) as typeof report;
  expect(report['changed']).toEqual([]);
  text = readFileSync(join(folder, 'recordings/all.json'), 'utf8');
  printed = await cli('record', 'all', '--last', String(calls), '--force');
}, 300_000);
afterAll(async () => {
  await dev.stop();
  await provider.close();
});

/** Searches for the letters of a canary only, because the encodings of the others have many forms. */
function isIn(
  texts: readonly string[],
  { value, parts = [/Zq\w+?Wm/.exec(value)?.[0] ?? ''] }: Canary,
): boolean {
  const searched = parts.map((part) => part.toLowerCase());
  return texts.some((text) => searched.some((part) => text.toLowerCase().includes(part)));
}

const all: Canary[] = [...canaries, ...configured, ...rendered];

test('the test itself detects every canary that was sent, however it was encoded', async () => {
  const sent = await Promise.all(
    canaries.map(async ({ request, answer }) => {
      const { path = '', query = '', headers = {}, body } = request?.() ?? {};
      const answered = answer?.();
      const bytes = Buffer.from(await new Response(body).arrayBuffer());
      return [
        path + query,
        JSON.stringify(headers),
        bytes.toString('latin1'),
        bytes.toString('base64'),
        JSON.stringify([...(answered?.headers ?? [])]),
        (await answered?.text()) ?? '',
      ].join('\n');
    }),
  );
  const missed = canaries.filter((canary, at) => !isIn(decodedTexts(sent[at] ?? ''), canary));
  expect(missed.map(({ what }) => what)).toEqual([]);
});

test('writes no canaries to a recording except those that SECURITY.md lists', () => {
  expect(all.length).toBeGreaterThanOrEqual(50);
  const texts = decodedTexts(text);
  const left = all.filter((canary) => isIn(texts, canary));
  const whats = (list: readonly Canary[]): string[] => list.map(({ what }) => what).sort();
  console.log(
    `recording: ${left.length} of ${all.length} secrets are in the file: ${whats(left).join('; ')}`,
  );
  expect(whats(left)).toEqual(whats(all.filter(({ kept }) => kept)));
  expect(text).not.toContain('•••');
  expect(text).not.toContain('%E2%80%A2');
});

test('record lists the fields that may still contain a secret', () => {
  expect(report['suspects']).toEqual(
    expect.arrayContaining(['stored.installation.configuration.note', 'body.packed', 'body.twice']),
  );
  expect(printed).toContain('stored.installation.configuration.note');
  expect(printed).toMatch(/Review the file before you share it/);
});

test('a replay of a recording whose secrets were removed has the same result', async () => {
  const { code, stdout } = await runCli(['replay', 'recordings/all.json', '--json'], { cwd: folder });
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { different: 0 }]);
});

test('keeps compressed secrets in a recording with --with-binary, and warns about them', async () => {
  const out = await cli('record', 'binary', '--last', String(calls), '--with-binary', '--json');
  expect((JSON.parse(out) as { suspects: string[] }).suspects).toContain('body.$base64');
});
