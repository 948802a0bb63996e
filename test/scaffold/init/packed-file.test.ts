import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { init } from '../../../src/scaffold/init/init.js';
import type { InitOptions } from '../../../src/scaffold/model/init-options.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
  mkdirSync(cwd, { recursive: true });
});

const start = (options: InitOptions) =>
  init(options, {
    cwd,
    execPath: process.execPath,
    env: {},
    interactive: false,
    ask: async () => undefined,
    random: (bytes) => new Uint8Array(bytes).fill(7),
    now: () => Date.now(),
    run: async () => {},
    note: () => {},
  });

const acme = { organization: 'acme' } as const;

test('shows the command for a folder in which only the package was installed', async () => {
  mkdirSync(join(cwd, 'hello/node_modules'), { recursive: true });
  writeFileSync(join(cwd, 'hello/package.json'), '{}');
  writeFileSync(join(cwd, 'hello/package-lock.json'), '{}');
  await expect(start({ folder: 'hello', template: 'blank', ...acme })).rejects.toMatchObject({
    code: 'folder-not-empty',
    hint: expect.stringMatching(
      /\nCreate the project in a new folder, with: npx platform init my-integration$/,
    ) as string,
  });
});

test('explains that other machines cannot install a packed file outside the project', async () => {
  const todo = async (folder: string, sdk: string): Promise<string | undefined> =>
    (await start({ folder, template: 'blank', sdk, ...acme }))?.todo.join(' ');
  const copied = 'Copy integration-platform-0.2.0.tgz to vendor/';
  expect(await todo('a', 'file:/packed/integration-platform-0.2.0.tgz')).toContain(copied);
  expect(await todo('b', 'file:vendor/integration-platform-0.2.0.tgz')).not.toContain(copied);
  expect(await todo('c', '^0.2.0')).not.toContain(copied);
});
