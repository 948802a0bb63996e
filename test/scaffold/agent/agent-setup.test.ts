import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { agentsSection } from '../../../src/scaffold/agent/agent-texts.js';
import { runCli, type CliResult } from '../../support/run-cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder = '';
beforeEach(() => (folder = temporaryFolder()));

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const setup = (...argv: string[]): Promise<CliResult> => runCli(['agent', 'setup', ...argv], { cwd: folder });
const all = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const files = ['.agents/skills/platform/SKILL.md', '.mcp.json', '.vscode/mcp.json', 'AGENTS.md'];

test('writes four files on the first setup run and on later ones, and deletes them with --remove', async () => {
  expect((await setup('--yes')).code).toBe(0);
  expect(all()).toEqual(files);
  const texts = files.map(read).join('\n');
  expect(texts).not.toMatch(/allow-changes|autoApprove|alwaysAllow|npx|127\.0\.0\.1|localhost/);
  expect(texts).not.toContain(folder);
  expect(JSON.parse(read('.mcp.json'))).toEqual({
    mcpServers: {
      'integration-platform': {
        command: 'node',
        args: ['./node_modules/integration-platform/bin/platform.js', 'mcp'],
      },
    },
  });
  const { stdout } = await setup();
  expect(stdout).toBe('Nothing to change.\n');
  await setup('--remove', '--yes');
  expect(readdirSync(folder)).toEqual([]);
});

test('preserves other content and its line endings, and restores them with --remove', async () => {
  const mcp = { mcpServers: { other: { command: 'other' } }, more: 1 };
  const before = {
    'AGENTS.md': '# Mine\r\n\r\nText.\r\n',
    '.mcp.json': `${JSON.stringify(mcp, undefined, 2)}\n`,
    '.vscode/mcp.json': '{\n\t"servers": {\n\t\t"a": {}\n\t}\n}\n',
  };
  for (const [path, text] of Object.entries(before)) write(path, text);
  await setup('--yes');
  expect(read('AGENTS.md')).toBe(`# Mine\r\n\r\nText.\r\n\r\n${agentsSection.replaceAll('\n', '\r\n')}`);
  expect(JSON.parse(read('.mcp.json'))).toMatchObject(mcp);
  expect(read('.vscode/mcp.json')).toMatch(/^{\n\t"servers"/);
  await setup('--remove', '--yes');
  for (const [path, text] of Object.entries(before)) expect(read(path)).toBe(text);
});

test('removes what was reformatted, and says what to remove after any other change', async () => {
  await setup('--yes');
  for (const path of files)
    write(
      path,
      path.endsWith('.json') ? JSON.stringify(JSON.parse(read(path)), undefined, 8) : `${read(path)}\n\n`,
    );
  await setup('--remove', '--yes');
  expect(all()).toEqual([]);
  await setup('--yes');
  write('.agents/skills/platform/SKILL.md', 'Mine.');
  write('.mcp.json', read('.mcp.json').replace('"node"', '"bun"'));
  write('.vscode/mcp.json', `// Mine\n${read('.vscode/mcp.json')}`);
  const { stderr } = await setup('--remove', '--yes');
  expect(all()).toEqual(files.slice(0, 3));
  for (const path of files.slice(0, 3)) expect(stderr).toContain(path);
  expect(stderr).toContain('"integration-platform" in "mcpServers"');
});

test('replaces an older section of AGENTS.md without moving it', async () => {
  write('AGENTS.md', agentsSection.replace('In short', 'Once upon a time') + '\nAfter.\n');
  await setup('--yes');
  expect(read('AGENTS.md')).toBe(`${agentsSection}\nAfter.\n`);
});

test('asks for confirmation in a terminal, and writes only if the answer is yes', async () => {
  const asked = await runCli(['agent', 'setup'], { cwd: folder, terminal: true, answers: { write: false } });
  expect(asked.asked).toHaveLength(1);
  expect(asked.stdout).toContain('+++ b/AGENTS.md');
  const dry = await setup('--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({
    files: files.map(() => ({ change: 'create' })),
    written: false,
  });
  const { code, stderr } = await setup();
  expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
  expect(all()).toEqual([]);
  await runCli(['agent', 'setup'], { cwd: folder, terminal: true, answers: { write: true } });
  expect(all()).toEqual(files);
});

const rejected: Record<string, () => void> = {
  'a server with the same name but another command': () =>
    write('.mcp.json', '{"mcpServers":{"integration-platform":{"command":"curl"}}}'),
  'a file with comments': () => write('.vscode/mcp.json', '// mine\n{}'),
  'a server list that is not an object': () => write('.mcp.json', '{"mcpServers":[]}'),
  'two sections': () => write('AGENTS.md', agentsSection + agentsSection),
  'a link instead of a file': () => symlinkSync(join(folder, '../outside'), join(folder, 'AGENTS.md')),
  'a link instead of a folder': () => symlinkSync(temporaryFolder(), join(folder, '.vscode')),
  'a folder instead of a file': () => mkdirSync(join(folder, '.mcp.json')),
  'a file with a second hard link': () => {
    const other = join(temporaryFolder(), 'other');
    writeFileSync(other, 'other');
    linkSync(other, join(folder, 'AGENTS.md'));
  },
};

test.each(Object.keys(rejected))('rejects %s and writes nothing', async (what) => {
  rejected[what]?.();
  const before = all();
  const { code, stderr } = await setup('--yes');
  expect(code).toBe(2);
  expect(stderr).toMatch(/\n {2}\S/);
  expect(all()).toEqual(before);
});

test('leaves AGENTS.md from the template for new projects unchanged', () => {
  const template = readFileSync(new URL('../../../templates/shared/AGENTS.md', import.meta.url), 'utf8');
  expect(template).toContain(agentsSection);
});

test.each([
  ['big numbers and escapes', '{\n    "a": 12345678901234567890, "b": 1.0,\n    "c": "\\u00e9]}"\n}\n'],
  ['BOM and CRLF', '\uFEFF{\r\n\t"mcpServers": { "x": { "args": ["{,", "}"] } },\r\n\t"b": [1,\r\n2]\r\n}'],
  ['an own empty list', '{\n  "mcpServers": {},\n  "b": 1\n}\n'],
  ['only an empty list', '{"mcpServers": {\n}}'],
  ['one line', '{"b":1e400,"mcpServers":{"x":{}}}'],
])('keeps every other byte and the mode of a file with %s', async (_, text) => {
  write('.mcp.json', text);
  chmodSync(join(folder, '.mcp.json'), 0o600);
  expect((await setup('--yes')).code).toBe(0);
  const plain = read('.mcp.json').replace('\uFEFF', '');
  const servers = (JSON.parse(plain) as { mcpServers: object }).mcpServers;
  expect(servers).toHaveProperty('integration-platform.command', 'node');
  expect(statSync(join(folder, '.mcp.json')).mode & 0o777).toBe(0o600);
  await setup('--remove', '--yes');
  expect(read('.mcp.json')).toBe(text);
});

test('does not rewrite a file in another encoding', async () => {
  const bytes = Buffer.from('# Caf\xe9\n', 'latin1');
  writeFileSync(join(folder, 'AGENTS.md'), bytes);
  const { code, stderr } = await setup('--yes');
  expect([code, stderr]).toEqual([expect.not.toBeOneOf([0]), expect.stringContaining('UTF-8')]);
  expect(readFileSync(join(folder, 'AGENTS.md')).equals(bytes)).toBe(true);
});
