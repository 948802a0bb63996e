import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { jsonDocuments, type JsonDocument } from '../../scripts/reference/json-documents.js';
import { typeOfValue, typesOf, valueAt } from '../../scripts/reference/json.js';
import { commands } from '../../src/cli/commands/index.js';
import { platformWebhooks } from '../../src/deliveries/command/program.js';
import { systemClock } from '../../src/base/clock.js';
import { devHere } from '../support/dev-here.js';
import { runCli } from '../support/run-cli.js';
import { serve } from '../support/serve.js';
import { temporaryFolder } from '../support/temporary-folder.js';

type Document = Record<string, unknown>;

const samplesFile = new URL('../../scripts/reference/json-samples.json', import.meta.url);

const isUpdate = process.env['UPDATE_SAMPLES'] !== undefined;
const howToSample =
  'after `npm run build`, run: UPDATE_SAMPLES=1 npx vitest run test/e2e/json-documents.test.ts && npm run generate';

/** Each document as the command prints it, in a session of its own. */
async function printAll(): Promise<Map<string, Document>> {
  const parent = temporaryFolder();
  const folder = join(parent, 'hello');
  cpSync(
    fileURLToPath(new URL('../fixtures/projects/recorded', import.meta.url)),
    join(parent, 'elsewhere'),
    { recursive: true },
  );
  const ids: Record<string, string> = {};
  const cli = async (command: string, cwd = folder): Promise<Document> => {
    const argv = command.replaceAll(/{(\w+)}/g, (_, name: string) => ids[name] ?? name).split(' ');
    const { stdout, stderr } = await runCli([...argv, '--json'], { cwd, clock: systemClock });
    const [line = ''] = stdout.startsWith('{\n') ? [stdout] : stdout.split('\n');
    expect(line, `${command}: ${stderr}`).toMatch(/^{/);
    return JSON.parse(line) as Document;
  };
  await cli('init hello --template block --organization acme', parent);
  const manifest = join(folder, 'platform-manifest.yaml');
  writeFileSync(
    manifest,
    `${readFileSync(manifest, 'utf8')}configurations:\n  account:\n    properties:\n      greeting:\n        type: string\n        title: Greeting\n`,
  );
  // A call with a problem has a next step.
  const counter = join(folder, 'src', 'counter.tsx');
  writeFileSync(
    counter,
    readFileSync(counter, 'utf8').replace(
      'async render(element) {',
      "async render(element) {\n    console.error('No greeting.');",
    ),
  );
  const receiver = await serve(() => Response.json({ received: true }));
  ids['receiver'] = `${receiver.url}/`;
  const dev = devHere(folder, ['--port', '0']);
  try {
    await dev.prints(/site_installation_setup/);
    const printed = new Map<string, Document>();
    for (const { command, notRun } of jsonDocuments) {
      if (notRun !== undefined) continue;
      const document = await cli(command);
      expect(document, command).not.toHaveProperty('error');
      printed.set(command, document);
      if (command.startsWith('logs')) ids['call'] = (document['items'] as { id: string }[])[0]!.id;
      if (command === 'webhook deliveries') ids['delivery'] = (document['items'] as { id: string }[])[0]!.id;
    }
    printed.set('error', await cli('inspect call_0'));
    const { diagnostics } = printed.get('publish-check') as { diagnostics: Document[] };
    printed.set('problem', diagnostics[0]!);
    return printed;
  } finally {
    await dev.stop();
    await receiver.close();
  }
}

/** Long texts and lists are cut; ports, ids and keys are the same in each run. */
function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    const text = value
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4100')
      .replaceAll(/\b(call|evt|rev|task|whe)_[0-9a-z]{8,}/g, '$1_1')
      .replaceAll(/\b(whsec_|link_|key=|link=|v1=)[\w-]{16,}/g, '$1…');
    return text.length > 120 ? `${text.slice(0, 120).replace(/\s\S*$/, '')} …` : text;
  }
  if (Array.isArray(value)) return value.slice(0, depth > 2 ? 1 : 2).map((item) => shorten(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, depth > 2 ? 4 : 20);
  return depth > 4 ? {} : Object.fromEntries(entries.map(([key, item]) => [key, shorten(item, depth + 1)]));
}

/** `checks[].id` where the fields of a list's entries are described, else `checks`. */
function fieldsOf(document: Document, fields: JsonDocument['fields']): string[] {
  return Object.entries(document)
    .filter(([name]) => name !== 'version')
    .flatMap(([name, value]) => {
      const isDescribed = Object.keys(fields).some((path) => path.startsWith(`${name}[].`));
      const inner = isDescribed ? (value as Document[]).flatMap((item) => Object.keys(item)) : [];
      return [name, ...inner.map((field) => `${name}[].${field}`)];
    });
}

test('the JSON documents have the fields described in the reference', async () => {
  const printed = await printAll();
  const types = Object.fromEntries(
    jsonDocuments
      .filter(({ command }) => printed.has(command))
      .map(({ command, fields }) => {
        const values = Object.keys(fields).map((at) => [at, valueAt(printed.get(command), at)] as const);
        const present = values.filter(([, value]) => value !== undefined);
        return [command, Object.fromEntries(present.map(([path, value]) => [path, typeOfValue(value)]))];
      }),
  );
  const [error, problem] = ['error', 'problem'].map((name) => shorten(printed.get(name)));
  if (isUpdate) writeFileSync(samplesFile, `${JSON.stringify({ error, problem, types }, undefined, 2)}\n`);
  for (const { command, fields, notRun } of jsonDocuments) {
    if (notRun !== undefined) continue;
    const found = fieldsOf(printed.get(command)!, fields);
    const described = `${command}: describe its fields in scripts/reference/json-documents.ts`;
    expect.soft(Object.keys(fields), described).toEqual(expect.arrayContaining(found));
    const always = Object.entries(fields).filter(([, text]) => typeof text === 'string');
    expect.soft(found, described).toEqual(expect.arrayContaining(always.map(([path]) => path)));
    if (!isUpdate) expect.soft(typesOf(command), `${command}: ${howToSample}`).toEqual(types[command]);
  }
});

test('every command either has a documented JSON format or prints a stream', () => {
  const streams = ['dev', 'mcp', 'webhook listen', 'platform-webhooks worker'];
  const names = [
    ...commands.flatMap(({ name, subcommands }) =>
      subcommands ? subcommands.map((child) => `${name} ${child.name}`) : [name],
    ),
    // The commands for endpoints and deliveries print the same as those of `platform`.
    ...platformWebhooks.commands
      .filter(({ group }) => group === 'Deliver')
      .map(({ name }) => `platform-webhooks ${name}`),
  ];
  const described = (name: string): boolean =>
    jsonDocuments.some(({ command, about = '' }) => command.startsWith(name) || about.includes(`\`${name}`));
  const alike = [
    'webhook enable',
    'webhook disable',
    'webhook rotate',
    'webhook remove',
    'add',
    'config unset',
  ];
  console.log(
    `JSON: ${jsonDocuments.length} documents, ${streams.length + 2} streams, ${names.length} commands`,
  );
  expect(
    names.filter(
      (name) => ![...streams, ...alike].includes(name) && !name.startsWith('add ') && !described(name),
    ),
    'describe the JSON of these commands in scripts/reference/json-documents.ts',
  ).toEqual([]);
});
