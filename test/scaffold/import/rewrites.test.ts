import { expect, test } from 'vitest';
import { replaceVaultSecrets } from '../../../src/scaffold/import/manifest/vault-secrets.js';
import { moveScripts } from '../../../src/scaffold/import/package/package-scripts.js';
import { rewriteInstallationReads } from '../../../src/scaffold/import/source/installation-reads.js';
import { findOrigin } from '../../../src/scaffold/import/model/recognise-origin.js';
import { toBytes } from '../../../src/scaffold/files/files-in-memory.js';
import { parseJsonWithComments } from '../../../src/scaffold/tools/json-with-comments.js';

test.each([
  ['installation.target.organization', 'installation.organization'],
  ['environment.installation?.target?.organization!', 'environment.installation?.organization!'],
  ['installation!.target!.organization', 'installation!.organization'],
  ['installation\n  ?.target\n  ?.organization', 'installation\n  ?.organization'],
  ['installations[0].target.organization', 'installations[0].organization'],
  ['spaceInstallation.space.id', 'spaceInstallation.space'],
  ['context.environment.spaceInstallation?.space?.id', 'context.environment.spaceInstallation?.space'],
  ['siteInstallation!.site!.id', 'siteInstallation!.site'],
  ['const { organization } = installation.target;', 'const { organization } = installation;'],
  [
    'const { organization: org } = environment.installation!.target;',
    'const { organization: org } = environment.installation!;',
  ],
  ['const { id } = spaceInstallation.space;', 'const { space: id } = spaceInstallation;'],
  ['const { target: { organization } } = installation;', 'const { organization } = installation;'],
  [
    'const { target: { organization: org }, id } = await installation;',
    'const { organization: org, id } = await installation;',
  ],
  [
    'const { installation: { target: { organization } = {} } } = environment;',
    'const { installation: { organization } } = environment;',
  ],
  ['const { space: { id } } = spaceInstallation;', 'const { space: id } = spaceInstallation;'],
  ['const { space: { id: space } } = spaceInstallation;', 'const { space } = spaceInstallation;'],
  [
    'installations.map(({ target: { organization } }) => organization)',
    'installations.map(({ organization }) => organization)',
  ],
  [
    'for (const { space: { id } } of spaceInstallations) use(id);',
    'for (const { space: id } of spaceInstallations) use(id);',
  ],
  [
    'const of = ({ target: { organization } }: IntegrationInstallation) => organization;',
    'const of = ({ organization }: IntegrationInstallation) => organization;',
  ],
  [
    'const { data } = await api.integrations.getIntegrationInstallationById(a, b);\nuse(data.target.organization);',
    'const { data } = await api.integrations.getIntegrationInstallationById(a, b);\nuse(data.organization);',
  ],
  ...[
    'const found = /[/*"{(]/.test(a) || a.match(/[/]`/g);',
    "const link = <a href='//x'>http://x.example // it's {first} <br /> {`a ${b} {`}</a>;",
    'const list = <>{rows.map((row) => <td>{/* } */ "{"} // {row}{<b a={[1]} />}</td>)}</>;',
    'const text = `{ ${a(`// ${b}`)} it\'s "`;',
    'const half = <T,>(a: T) => (a as number) / 2 < 1 / b; const c = d["</T>"] / 3;',
  ].map((code) => [
    `${code} const { space: { id } } = spaceInstallation;`,
    `${code} const { space: id } = spaceInstallation;`,
  ]),
])('rewrites %s to %s', (before, after) => {
  expect(rewriteInstallationReads(before)).toEqual({ text: after, notes: [] });
});

test.each([
  'const body = { target: { organization: id } };',
  "call({ space: { id: 'a' } });",
  "if (installation.target === 'space') go();",
  'const { data: space } = await api.spaces.getSpaceById(id);\nuse(space.id);',
])('leaves %s unchanged, without adding a note', (text) => {
  expect(rewriteInstallationReads(text)).toEqual({ text, notes: [] });
});

test.each([
  ['first();\nuse(thing.target.organization);', 2],
  ['const target = installation.target;', 1],
  ['const { target } = environment.installation;', 1],
  ['const { space } = spaceInstallation;\nuse(space.id);', 2],
  ["use(installation['target']);", 1],
  ['const { target: { organization, plan } } = installation;', 1],
  ['a();\nb();\nconst { target: { organization } } = thing;', 3],
])('reports the line of code that must be changed manually: %s', (text, line) => {
  const found = rewriteInstallationReads(text);
  expect(found.text).toBe(text);
  expect(found.notes.map((note) => note.line)).toEqual([line]);
});

test.each([
  ['secrets:\n  A: op://v/i/A\n', 'secrets:\n  A: ${{ env.A }}\n', { '.env': ['A'] }],
  ['secrets:\r\n  A: "op://v/i/A" # why\r\n', 'secrets:\r\n  A: ${{ env.A }} # why\r\n', { '.env': ['A'] }],
  [
    'envs:\n  test:\n    secrets:\n      A-B: ${{ "op://v/i/A" }}\n',
    'envs:\n  test:\n    secrets:\n      A-B: ${{ env.A_B }}\n',
    { '.env.test': ['A_B'] },
  ],
])('replaces a vault reference with a variable: %j', (before, after, variables) => {
  const found = replaceVaultSecrets(before);
  expect([found.text, Object.fromEntries(found.variables)]).toEqual([after, variables]);
  expect(found.notes).toHaveLength(1);
});

test('reports a vault reference elsewhere in the manifest', () => {
  const { text, notes } = replaceVaultSecrets('title: a\nsecrets: { A: "op://v/i/A" }\n');
  expect(text).toContain('op://');
  expect(notes).toMatchObject([{ line: 2 }]);
});

const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };

test.each([
  ['acme check', 'platform validate', []],
  ['acme tail', 'platform logs --follow', []],
  ['FOO=1 npx acme integration dev', 'FOO=1 platform dev', []],
  ['acme integrations tail', 'platform logs --follow', []],
  ['acme integration publish .', 'platform publish-check .', ['only checks it, and packs it']],
  ['acme openapi push', 'acme openapi push', ['has no replacement']],
  ['acme dev --all', 'platform dev --all', ['has no option --all']],
  [
    'acme publish . --env staging',
    'platform publish-check . --env staging',
    ['only checks it, and packs it'],
  ],
  ['node ../../scripts/x.js', 'node ../../scripts/x.js', ['outside the folder']],
  ['yarn run missing', 'yarn run missing', ['does not exist in package.json']],
])('rewrites the script "%s" to "%s"', (before, after, messages) => {
  const { scripts, notes } = moveScripts({ it: before }, origin);
  expect(scripts).toEqual({ it: after });
  expect(notes.map(({ message }) => message)).toEqual(messages.map((part) => expect.stringContaining(part)));
});

test('finds the packages that provide the programs in scripts', () => {
  const { wanted } = moveScripts(
    { a: 'FOO=1 eslint . && tsc', b: 'node -r esbuild-register x.ts', c: 'cross-env A=1 jest' },
    origin,
  );
  expect(wanted.map(({ name }) => name)).toEqual([
    'eslint',
    'typescript',
    'esbuild-register',
    'cross-env',
    'jest',
  ]);
});

test('skips comments and trailing commas in a tsconfig', () => {
  expect(parseJsonWithComments('{ "a": "http://x", /* b */ "c": [1, 2,], // d\n}')).toEqual({
    a: 'http://x',
    c: [1, 2],
  });
  expect(parseJsonWithComments('{ nope')).toBeUndefined();
});

test('treats the names of inherited properties like any other names', () => {
  const origin = { runtime: '@acme/runtime', scope: '@acme/', command: 'acme' };
  const { scripts, wanted } = moveScripts(
    JSON.parse('{"a":"acme constructor","b":"toString","__proto__":"x","c":"npm run valueOf"}') as Record<
      string,
      string
    >,
    origin,
  );
  expect(scripts['a']).toBe('acme constructor');
  expect(Object.keys(scripts)).toEqual(['a', 'b', '__proto__', 'c']);
  expect(wanted.map(({ name }) => name)).toEqual(['toString', 'x']);
});

test('does not mistake an import with special characters for the original package', () => {
  const sources = ['@(/runtime', '@[a/b', '@a*/runtime'].map((name, index): [string, Uint8Array] => [
    `${index}.ts`,
    toBytes(`import { createIntegration } from '${name}';`),
  ]);
  expect(findOrigin(new Map(sources))).toBeUndefined();
});
