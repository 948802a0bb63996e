import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { noSecondUser } from '../support/second-user.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const deploy = join(root, 'deploy');
const nobody = 65_534;

interface Instruction {
  word: string;
  rest: string;
}
interface Stage {
  name: string | undefined;
  image: string;
  steps: Instruction[];
}

/** The stages of the Dockerfile. Fails on what this reader does not know. */
function readStages(): Stage[] {
  const stages: Stage[] = [];
  for (const line of readFileSync(join(deploy, 'Dockerfile'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, word = '', rest = ''] = /^([A-Z]+) (.+[^\\])$/.exec(line) ?? [];
    expect(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'ENTRYPOINT', 'CMD'], line).toContain(word);
    const [, image = '', name] = /^(\S+)(?: AS (\S+))?$/.exec(word === 'FROM' ? rest : '') ?? [];
    if (word === 'FROM') stages.push({ name, image, steps: [] });
    else stages.at(-1)?.steps.push({ word, rest });
  }
  return stages;
}

const restsOf = ({ steps }: Stage, word: string): string[] =>
  steps.filter((step) => step.word === word).map(({ rest }) => rest);

const [build, final] = readStages() as [Stage, Stage];

test('the Dockerfile has two stages, copies existing files and does not run as root', () => {
  expect(readStages()).toHaveLength(2);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  for (const { image } of [build, final]) {
    const [, major = ''] = /^node:(\d+)-bookworm-slim$/.exec(image) ?? [];
    expect(engines.node).toContain(`${major}.`);
  }
  const ignored = readFileSync(join(deploy, 'Dockerfile.dockerignore'), 'utf8').split('\n');
  const copied = [build, final].flatMap((stage) => restsOf(stage, 'COPY'));
  for (const rest of copied) {
    const words = rest.split(' ');
    expect(words.length).toBeGreaterThan(1);
    if (words[0]?.startsWith('--from=')) {
      expect(words[0]).toBe(`--from=${build.name}`);
      continue;
    }
    for (const file of words.slice(0, -1)) {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(ignored).not.toContain(file.split('/')[0]);
    }
  }
  // `npm ci` must not use what was built on another machine.
  expect(ignored).toEqual(expect.arrayContaining(['.git', 'dist', 'node_modules']));
  const order = final.steps.map(({ word }) => word);
  expect(restsOf(final, 'USER')).toEqual(['node']);
  expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
  // A shell as process 1 would not pass SIGTERM on.
  for (const word of ['ENTRYPOINT', 'CMD'])
    expect(JSON.parse(restsOf(final, word)[0] ?? '')).toEqual(expect.any(Array));
});

test.skipIf(noSecondUser)("installs a worker with the image's commands as an unprivileged user", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const app = join(folder, 'app');
  mkdirSync(app);
  for (const { word, rest } of final.steps) {
    const [, files = ''] = /^(deploy\/.*) \.\/$/.exec(word === 'COPY' ? rest : '') ?? [];
    for (const file of files.split(' ').filter(Boolean))
      cpSync(join(root, file), join(app, file.slice('deploy/'.length)));
    if (word !== 'RUN') continue;
    // The cache belongs to this machine.
    const command = rest
      .replaceAll('/packed', inject('packed').folder)
      .replace(' && npm cache clean --force', '');
    await promisify(execFile)('sh', ['-ec', command], {
      cwd: app,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  }
  expect(readdirSync(app).toSorted()).toEqual(
    ['node_modules', 'package-lock.json', 'package.json', 'producer.js', 'receiver.js'].toSorted(),
  );

  const [program = ''] = JSON.parse(restsOf(final, 'ENTRYPOINT')[0] ?? '') as string[];
  const asNobody = (env: Record<string, string>, command: string, ...words: string[]) =>
    spawnSync(command, words, {
      cwd: app,
      uid: nobody,
      gid: nobody,
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
      timeout: 20_000,
    });
  expect(asNobody({}, join(app, program), '--version')).toMatchObject({ status: 0, stderr: '' });
  const args = JSON.parse(restsOf(final, 'CMD')[0] ?? '') as string[];
  const unreachable = { PLATFORM_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  expect(asNobody(unreachable, join(app, program), ...args)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('127.0.0.1:1'),
  });
  // `pg` and the package are found from the programs next to them.
  expect(asNobody(unreachable, 'node', 'producer.js', 'http://127.0.0.1:1/').stderr).toContain('127.0.0.1:1');
});
