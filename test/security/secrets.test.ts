import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findSession } from '../../src/dev/claim-session.js';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { runPlatform } from '../support/run-platform.js';
import { secretForms } from '../support/secret-forms.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const secrets: Record<string, string> = {
  PLAIN: 'canary-plain-1f8a',
  MARKUP: `canary<"markup"&'quotes'>2c`,
  ESCAPES: String.raw`canary\back"slash\n3d`,
  ACCENTS: 'canäry-é🐤-4e5f',
  LINES: 'canary-first-line-5a\ncanary "second" line-6b\ncanary-third-line-7c',
};
const lines = Object.values(secrets).flatMap((secret) => secret.split('\n'));

const manifest = `name: leaky
title: Leaky
description: Leaks its secrets.
organization: org_local
visibility: private
scopes: []
script: index.ts
secrets:
${Object.keys(secrets)
  .map((name) => `  ${name}: \${{ env.${name} }}`)
  .join('\n')}
`;

/** The script gets the forms from the test, so that both agree on them. */
const source = `
import { createComponent, createIntegration } from 'integration-platform';

const all = ({ environment }) => Object.values(environment.secrets).join(' ');
export default createIntegration({
  components: [
    createComponent({
      componentId: 'leak',
      initialState: (_props, _context, context) => ({ all: all(context) }),
      render: async ({ state }) => <block><text>{state.all}</text></block>,
    }),
  ],
  events: {
    space_content_updated: async (_event, context) => {
      throw new Error(all(context));
    },
  },
  fetch: async (request, { environment }) => {
    const forms = Object.entries(await request.json());
    const chunks = [];
    for (const [name, secret] of Object.entries(environment.secrets)) {
      console.log('in two lines', secret);
      console.log({ secret });
      console.error(new Error(secret));
      const headers = { authorization: btoa(encodeURIComponent(secret)) };
      await fetch('http://127.0.0.1:1/' + encodeURIComponent(secret), { headers }).catch(() => {});
      setTimeout(() => console.warn('late', secret), 50);
      for (const [form, text] of forms) console.log(form, text);
      const half = Math.floor(secret.length / 2);
      console._stdout.write('halves ' + secret.slice(0, half));
      await new Promise((resolve) => setTimeout(resolve, 30));
      console._stdout.write(secret.slice(half) + '\\n');
      chunks.push('body ' + secret.slice(0, half), secret.slice(half) + '\\n');
    }
    const encoder = new TextEncoder();
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const chunk = chunks.shift();
          if (chunk === undefined) return controller.close();
          await new Promise((resolve) => setTimeout(resolve, 5));
          controller.enqueue(encoder.encode(chunk));
        },
      }),
    );
  },
});
`;

test('masks secrets in every encoding, even if they are split across lines or writes', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest.replace('index.ts', 'index.tsx'));
  writeFileSync(join(folder, 'index.tsx'), `// @ts-nocheck\n${source}`);
  const dev = devHere(folder, ['--port', '0', '--state', 'disk'], { env: secrets });
  onTestFinished(() => dev.stop().then(() => {}));
  await dev.prints(/Public\s+\S+/);
  const endpoint = /Public\s+(\S+)/.exec(dev.text())?.[1] ?? '';
  const forms = Object.fromEntries(
    Object.entries(secretForms).flatMap(([form, write]) =>
      Object.entries(secrets).map(([name, secret]) => [`${form} ${name}`, write(secret)]),
    ),
  );
  const response = await fetch(`${endpoint}/x?echoed=${encodeURIComponent(secrets['PLAIN'] ?? '')}`, {
    method: 'POST',
    body: JSON.stringify(forms),
    headers: { authorization: `Bearer ${secrets['PLAIN']}` },
  });
  expect(await response.text()).toContain(`body ${secrets['PLAIN']}`);
  await dev.prints(/as \\uXXXX LINES/);

  const places: Record<string, string> = {};
  const cli = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr } = await runCli(argv, { cwd: folder });
    return (places[`platform ${argv.filter((word) => !word.startsWith('call_')).join(' ')}`] =
      stdout + stderr);
  };
  await cli('trigger', 'space_content_updated', '--json');
  for (const format of ['text', 'json']) await cli('render', 'leak', '--format', format);
  const { items } = JSON.parse(await cli('logs', '--limit', '50', '--json')) as {
    items: { id: string; url?: string }[];
  };
  await cli('logs', '--limit', '50');
  const id = items.find(({ url }) => url?.includes('/x?'))?.id ?? '';
  for (const command of ['inspect', 'replay'])
    for (const format of ['text', 'json']) await cli(command, id, '--format', format);
  const { consoleOrigin = '', token = '' } =
    findSession(folder, { isRunning: () => true, userId: process.geteuid?.() }) ?? {};
  for (const path of [
    'overview',
    'installations',
    'calls?limit=500',
    `calls/${id}`,
    'events',
    'configuration',
  ]) {
    const answer = await fetch(`${consoleOrigin}/console/api/${path}`, {
      headers: { 'x-platform-token': token },
    });
    expect([path, answer.status]).toEqual([path, 200]);
    places[`console API, ${path}`] = await answer.text();
  }
  places['console page'] = await (await fetch(`${consoleOrigin}/console/`)).text();
  await dev.stop();
  places['platform dev'] = dev.text() + (await dev.ended).stderr;
  for (const file of readdirSync(join(folder, '.platform')).filter((name) => name.startsWith('state')))
    places[`.platform/${file}`] = readFileSync(join(folder, '.platform', file), 'utf8');

  const spellings = [
    ...lines,
    ...lines.map((line) => JSON.stringify(line).slice(1, -1)),
    ...[...lines, ...Object.values(secrets)].flatMap((text) =>
      Object.values(secretForms).map((write) => write(text)),
    ),
    ...Object.values(secrets).flatMap((secret) => {
      const half = Math.floor(secret.length / 2);
      return [secret.slice(0, half), secret.slice(half)].filter((text) => !text.includes('\n'));
    }),
  ];
  const seen = Object.entries(places).flatMap(([place, text]) =>
    [...new Set(spellings)]
      .filter((spelling) => text.includes(spelling))
      .map((spelling) => `${place}: ${spelling}`),
  );
  expect(seen).toEqual([]);
  expect(places['platform dev']).toContain('halves •••');
  const searched = Object.values(places).reduce((sum, text) => sum + text.length, 0);
  console.log(
    `secrets: ${new Set(spellings).size} spellings and halves of ${Object.keys(secrets).length} secrets, 0 seen in ${Object.keys(places).length} places (${searched.toLocaleString('en')} characters)`,
  );
});

/** A script that writes its secrets wherever `publish-check` looks. */
const leakyChecks = `
const hard = 'canary-plain-1f8a';
import { createComponent, createIntegration } from 'integration-platform';

const reveal = (environment) => Object.values(environment.secrets).join(' and ');
const hello = createComponent({
  componentId: 'hello',
  async render(element, { environment }) {
    await fetch(\`https://api-\${environment.secrets.PLAIN}.example.com/\${environment.secrets.PLAIN}\`).catch(() => {});
    throw new Error('render ' + reveal(environment));
  },
});
const other = createComponent({
  componentId: 'other',
  render: async (element, { environment }) => <block><unknown-canary {...{ [environment.secrets.PLAIN]: hard }} /></block>,
});
export default createIntegration({
  components: [hello, other],
  events: {
    installation_setup: async (event, { environment }) => {
      throw new Error('setup ' + reveal(environment));
    },
  },
  fetch: async (request, { environment }) => Response.json({ error: 'fetch ' + reveal(environment) }, { status: 500 }),
});
`;

test('publish-check masks secrets in every format', async () => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const named = ['hello', 'other'].map(
    (id) => `  - id: ${id}\n    title: Hello\n    description: A block.\n`,
  );
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    `${manifest.replace('index.ts', 'index.tsx')}blocks:\n${named.join('')}configurations:
  account:
    properties:
      place: { type: string, title: Place, completion_url: /places }
`,
  );
  writeFileSync(join(folder, 'index.tsx'), `// @ts-nocheck\n${leakyChecks}`);
  const formats = ['text', 'json', 'github', 'gitlab', 'sarif', 'junit', 'markdown'];
  const outputs = await Promise.all(
    formats.map((format) =>
      runPlatform(['publish-check', '--format', format], { cwd: folder, env: secrets }),
    ),
  );
  const spellings = lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), line.toLowerCase()]);
  const seen = outputs.flatMap(({ stdout, stderr }, index) =>
    spellings
      .filter((spelling) => (stdout + stderr).includes(spelling))
      .map((spelling) => `${formats[index]}: ${spelling}`),
  );
  expect(seen).toEqual([]);
  const text = outputs[0]?.stdout.replaceAll(/\s+/g, ' ');
  for (const shown of ['api-•••.example.com', 'setup •••', '/places responds with 500. fetch •••'])
    expect(text).toContain(shown);
  console.log(
    `secrets in publish-check: ${lines.length} lines of 5 secrets, 0 seen in ${formats.length} formats`,
  );
});
