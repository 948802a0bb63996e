/* oxlint-disable no-control-regex -- they are what is looked for */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { devHere } from '../support/dev-here.js';
import { runCli, type CliOptions } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What a terminal would act upon, each behind a word to find it by. */
const attacks = [
  'sgr\u001B[31mred\u001B[8mhidden',
  'title\u001B]0;owned\u0007',
  'link\u001B]8;;http://evil.example\u001B\\text\u001B]8;;\u001B\\',
  'clipboard\u001B]52;c;ZXZpbA==\u0007',
  'clear\u001B[2J\u001B[H',
  'report\u001B[6n\u001BP$qm\u001B\\',
  'return\roverwritten',
  'back\b\b\b\u007F',
  'c1\u009B31m\u009D0;owned\u009C',
  'bidi\u202Eolleh\u202C \u2066isolated\u2069\u061C\u200F',
  'zero\u200Bwidth\u2060\uFEFF\u00AD',
  'tags\u{E0001}\u{E0041}',
  'fillers\u3164\u115F\u034F\u2800\u17B4\u{1D173}',
  'lines\u2028\u2029\u0085',
];
const hostile = attacks.join(' ');

const unsafe =
  /[\u034F\u17B4\0-\x08\x0B-\x1F\x7F-\x9F\u00AD\u061C\u115F\u2800\u3164\u{1D173}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E0FFF}]/gu;
const ownStyling = /\u001B\[(?:1|2|4|22|24|3[1-69]|90)m/g;

/** What is sent raw beside our own styling. Text from outside always has a raw `31mred` when its colour came through. */
const rawIn = (text: string): string[] => [
  ...(text.replaceAll(ownStyling, '').match(unsafe) ?? []),
  ...(text.match(/\u001B\[31mred|\u001B\[8m/g) ?? []),
];

/** In YAML, so that the file itself is valid. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[^\x20-\x7E]/gu,
    (character) => `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );

const manifest = (title: string) => `name: hostile
title: ${quoted(title)}
description: ${quoted(`Says ${title}`)}
organization: org_local
visibility: private
scopes: []
script: index.tsx
configurations:
  account:
    properties:
      note: { type: string, title: ${quoted(title)}, description: Anything. }
secrets: {}
`;

const source = `
import { createComponent, createIntegration } from 'integration-platform';
const hostile = ${JSON.stringify(hostile)};
export default createIntegration({
  components: [
    createComponent({ componentId: 'drawn', initialState: { hostile }, render: async () => <block><text>{hostile}</text></block> }),
  ],
  events: { space_content_updated: async () => { throw new Error(hostile); } },
  fetch: async (request) => {
    console.log(hostile);
    console.error(new Error(hostile));
    console.warn(await request.text());
    await fetch('http://127.0.0.1:1/?' + encodeURIComponent(hostile)).catch(() => {});
    setTimeout(() => console.log('late', hostile), 20);
    return new Response(hostile, { status: 500, headers: { 'x-bidi': 'c1\\u009B31m' } });
  },
});
`;

/** CI systems read commands at the beginning of a line of output, after spaces. */
const forged = /^\s*(?:::error title=x|##\[error\]|forged)/m;

test('prints a file or folder name that contains line breaks on a single line', async () => {
  const folder = temporaryFolder();
  const names = ['a\n::error title=x::forged', 'b\r\n##[error]forged', 'c\u2028forged'];
  for (const name of names) {
    const project = join(folder, name);
    mkdirSync(project);
    // What validate, publish-check and init --from report differs.
    writeFileSync(join(project, 'platform-manifest.yaml'), `${manifest('T')}unknown: 1\n`);
    writeFileSync(join(project, 'index.tsx'), `${source}\nimport '@acme/other';\n`);
    writeFileSync(join(project, `${name}.ts`), "import { createIntegration } from '@acme/runtime';\n");
    symlinkSync('/etc/passwd', join(project, `${name}.link`));
  }
  let lines = 0;
  const check = async (...argv: string[]): Promise<void> => {
    const { stdout, stderr } = await runCli(argv, { cwd: folder });
    expect([argv, (stdout + stderr).match(forged)]).toEqual([argv, null]);
    lines += (stdout + stderr).split('\n').length;
  };
  for (const format of ['text', 'markdown']) await check('publish-check', ...names, '--format', format);
  await check('publish-check', names[0] ?? '', '--pack', 'out.tgz');
  for (const format of ['text', 'github', 'junit']) await check('validate', ...names, '--format', format);
  for (const [index, name] of names.entries()) {
    await check('init', `mine-${index}`, '--from', name, '--yes');
    await check('validate', `${name}/${name}`);
  }
  console.log(`terminal: names with line breaks begin 0 of ${lines} lines of output`);
});

test('sends no untrusted control characters to a terminal from any command', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'platform-manifest.yaml'), manifest(hostile));
  writeFileSync(join(folder, 'index.tsx'), source);
  const seen: Record<string, string[]> = {};
  const missed: string[] = [];
  let characters = 0;
  const check = (place: string, text: string): void => {
    characters += text.length;
    const raw = rawIn(text);
    seen[place] = [...(seen[place] ?? []), ...raw];
  };
  const cli = async (argv: string[], options: CliOptions = {}): Promise<string> => {
    const { stdout, stderr, asked } = await runCli(['--color', ...argv], { cwd: folder, ...options });
    const questions = asked.map(
      ({ message, choices }) => `${message}${(choices ?? []).map(({ title }) => title).join('')}`,
    );
    const words = ['config', 'state', 'webhook'].includes(argv[0] ?? '') ? 2 : 1;
    check(argv.slice(0, words).join(' ').replaceAll(unsafe, '?'), stdout + stderr + questions.join(''));
    return stdout;
  };

  const dev = devHere(folder, ['--color', '--port', '0', '--state', 'disk']);
  onTestFinished(() => dev.stop().then(() => {}));
  await dev.prints(/Public\s+/);
  const endpoint = /Public +(\S+)/.exec(dev.text().replaceAll(ownStyling, ''))?.[1] ?? '';
  await fetch(`${endpoint}/x?${encodeURIComponent(hostile)}`, {
    method: 'POST',
    body: hostile,
    headers: { 'x-c1': 'c1\u009B31m' },
  });
  await dev.prints(/late/);
  await cli(['trigger', 'space_content_updated']);
  await cli(['trigger', hostile]);
  await cli(['render', 'drawn']);
  await cli(['render', hostile]);
  await cli(['config']);
  await cli(['config', 'set', `note=${hostile}`]);
  await cli(['config', 'get']);
  await cli(['install', '--organization', hostile]);
  await cli(['state', 'save', hostile]);
  await cli(['state', 'list']);
  await cli(['webhook', 'add', `http://127.0.0.1:1/${hostile}`, '--event', 'site_view']);
  await cli(['webhook', 'list']);
  await cli(['webhook', 'deliveries']);
  await cli(['logs', '--limit', '100']);
  const { items } = JSON.parse(await cli(['logs', '--limit', '100', '--json'])) as {
    items: { id: string }[];
  };
  expect(items.length).toBeGreaterThan(2);
  for (const { id } of items) {
    await cli(['inspect', id]);
    await cli(['inspect', id, '--json']);
  }
  await cli(['replay', items.at(0)?.id ?? '']);
  await cli(['inspect', hostile]);
  await dev.stop();
  const { stderr } = await dev.ended;
  check('dev', dev.text() + stderr);
  if (!dev.text().includes('␛[31mred')) missed.push('dev shows the attack visibly');

  await cli(['validate']);
  await cli(['validate', '--json']);
  for (const format of ['github', 'junit', 'sarif']) await cli(['validate', '--format', format]);
  writeFileSync(
    join(folder, 'platform-manifest.yaml'),
    `${manifest(hostile)}unknown: "${hostile}"\n${hostile}\n`,
  );
  await cli(['validate']);
  await cli(['dev', '--state', 'memory', '--port', '0', '--exec', 'true']);
  await cli(['publish-check']);
  await cli(['types']);
  await cli(['explain', hostile]);
  await cli([hostile]);
  await cli(['validate', hostile]);
  await cli(['publish-check', hostile]);
  writeFileSync(join(folder, `${'x'.repeat(3)}.tgz`), hostile);
  await cli(['publish-check', 'xxx.tgz']);

  const old = join(folder, 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'platform-manifest.yaml'), manifest(hostile));
  writeFileSync(join(old, 'package.json'), JSON.stringify({ name: hostile, description: hostile }));
  writeFileSync(join(old, 'index.tsx'), source);
  await cli(['init', 'new', '--from', old, '--no-install'], { terminal: true, answers: {} });
  await cli(['init', hostile, '--template', hostile]);

  expect(Object.fromEntries(Object.entries(seen).filter(([, raw]) => raw.length > 0))).toEqual({});
  expect(missed).toEqual([]);
  console.log(
    `terminal: ${attacks.length} attacks through ${Object.keys(seen).length} commands, 0 raw control characters in ${characters.toLocaleString('en')}`,
  );
});
