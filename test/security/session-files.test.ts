import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFifo } from '../support/make-fifo.js';
import { amount } from '../support/proved.js';
import { runPlatform } from '../support/run-platform.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const fixture = fileURLToPath(new URL('../fixtures/projects/author', import.meta.url));
const isRoot = process.geteuid?.() === 0;

function project(): string {
  const folder = temporaryFolder();
  cpSync(fixture, folder, { recursive: true });
  return folder;
}

/** What would receive the configuration if a planted file were believed. */
let received = 0;
let listener: Server;
beforeAll(async () => {
  listener = createServer((_, response) => {
    received += 1;
    response.writeHead(404).end('{}');
  });
  await new Promise<void>((done) => listener.listen(0, '0.0.0.0', done));
});
afterAll(() => void listener.close());

const record = (host: string): string =>
  JSON.stringify({
    version: 1,
    pid: process.pid,
    platformVersion: '0.1.0',
    origin: `http://${host}:${(listener.address() as AddressInfo).port}`,
    token: 'planted',
  });

interface Plant {
  what: string;
  plant(session: string, folder: string): void;
  /** What `dev` does with it: refuses it, or replaces it by a session file of its own. */
  dev: 'refuses' | 'replaces';
  says: RegExp;
}

const write = (file: string, text: string, mode = 0o600): void => {
  writeFileSync(file, text);
  chmodSync(file, mode);
};

const someoneElse = 65534;

/** A file with this text, which `dev` replaces. */
const replaceable = (
  what: string,
  text: () => string,
  says = /is not the session file/,
  mode = 0o600,
): Plant => ({ what, plant: (file) => write(file, text(), mode), dev: 'replaces', says });
const refused = (what: string, says: RegExp, plant: Plant['plant']): Plant => ({
  what,
  plant,
  dev: 'refuses',
  says,
});

const plants: Plant[] = [
  replaceable('null', () => 'null'),
  replaceable('cut short', () => '{"version":1,"pi'),
  replaceable('empty', () => ''),
  replaceable('a foreign host', () => record('example.com')),
  replaceable('all interfaces', () => record('0.0.0.0')),
  replaceable('a host in the name of the user', () => record('127.0.0.1:80@127.0.0.2')),
  replaceable('a host that begins like a loopback address', () => record('127.0.0.1.example.com')),
  replaceable('an address that does not exist', () => record('127.0.0.256')),
  replaceable('mode 0644', () => record('127.0.0.1'), /has mode 0644/, 0o644),
  replaceable('mode 0666', () => record('127.0.0.1'), /has mode 0666/, 0o666),
  refused('a folder', /is a folder/, (file) => mkdirSync(file)),
  refused('a FIFO', /is a FIFO/, makeFifo),
  refused('a link', /is a symbolic link/, (file, folder) => {
    write(join(folder, 'elsewhere'), record('127.0.0.1'));
    symlinkSync(join(folder, 'elsewhere'), file);
  }),
  refused('in a folder that is a link', /\.platform is a symbolic link/, (file, folder) => {
    write(file, record('127.0.0.1'));
    spawnSync('mv', [join(folder, '.platform'), join(folder, 'moved')]);
    symlinkSync('moved', join(folder, '.platform'));
  }),
];
/** Only root can give a file to another user. */
if (isRoot)
  for (const [what, says, part] of [
    ['of another user', /belongs to another user/, '.'],
    ['in a folder of another user', /\.platform belongs to another user/, '..'],
  ] as const)
    plants.push(
      refused(what, says, (file) => {
        write(file, record('127.0.0.1'));
        chownSync(part === '.' ? file : join(file, part), someoneElse, someoneElse);
      }),
    );

const shown = (path: string): string =>
  existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : '';

test('never sends data to the address in a planted session file, and does not overwrite the file', async () => {
  received = 0;
  let slowest = 0;
  for (const { what, plant, says, dev } of plants) {
    const folder = project();
    const session = join(folder, '.platform/session.json');
    mkdirSync(join(folder, '.platform'), { mode: 0o700 });
    plant(session, folder);
    const before = shown(session);
    const set = await runPlatform(['config', 'set', 'channel=canary'], { cwd: folder });
    expect([what, set.code, set.stderr]).toEqual([what, 2, expect.stringMatching(says)]);
    expect([what, shown(session)]).toEqual([what, before]);
    slowest = Math.max(slowest, set.ms);
    if (dev === 'replaces') continue;
    const started = await runPlatform(['dev', '--port', '0', '--exec', 'true'], { cwd: folder });
    expect([what, started.code, started.stderr]).toEqual([what, 2, expect.stringMatching(says)]);
    expect([what, shown(session)]).toEqual([what, before]);
    slowest = Math.max(slowest, started.ms);
  }
  expect(received).toBe(0);
  console.log(
    `planted session files: ${plants.length} of ${plants.length} refused, ${received} requests sent, slowest ${Math.round(slowest)} ms`,
  );
});

test('replaces an untrusted session file, and never writes through a symlink', async () => {
  const replaced = plants.filter(({ dev }) => dev === 'replaces');
  for (const { what, plant } of replaced) {
    const folder = project();
    const state = join(folder, '.platform');
    mkdirSync(state, { mode: 0o777 });
    chmodSync(state, 0o777);
    plant(join(state, 'session.json'), folder);
    writeFileSync(join(folder, 'precious'), 'precious');
    for (const name of ['session.json.new', '.gitignore']) symlinkSync('../precious', join(state, name));
    const { code, stderr } = await runPlatform(
      ['dev', '--port', '0', '--exec', 'stat -c %a .platform .platform/session.json > modes'],
      { cwd: folder },
    );
    expect([what, code, stderr]).toEqual([what, 0, expect.any(String)]);
    expect(readFileSync(join(folder, 'modes'), 'utf8')).toBe('700\n600\n');
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious');
    expect(readdirSync(state).filter((name) => /^session\.json(?!\.new)/.test(name))).toEqual([]);
  }
  console.log(
    `dev on session files that it may not believe: ${replaced.length} of ${replaced.length} replaced, 0 links followed`,
  );
});

test.each(['state.db', 'state.db-wal'])(
  'rejects %s as a symlink, a FIFO or if others may write',
  async (name) => {
    for (const [what, says] of [
      ['link', /is a symbolic link/],
      ['FIFO', /is a FIFO/],
      ['shared', /can be written by other users/],
    ] as const) {
      const folder = project();
      const file = join(folder, '.platform', name);
      mkdirSync(join(folder, '.platform'), { mode: 0o700 });
      if (what === 'link') symlinkSync('/etc/hostname', file);
      else if (what === 'FIFO') makeFifo(file);
      else write(file, '', 0o666);
      const { code, stderr } = await runPlatform(['dev', '--port', '0', '--exec', 'true'], { cwd: folder });
      expect([what, code, stderr]).toEqual([what, 2, expect.stringMatching(says)]);
    }
  },
);

test('lets only one of four concurrent starts replace a stale session', async () => {
  const winners: number[] = [];
  const rounds = amount(3, 10);
  for (let round = 0; round < rounds; round += 1) {
    const folder = project();
    mkdirSync(join(folder, '.platform'), { mode: 0o700 });
    const gone = spawnSync('true').pid;
    const stale = {
      version: 1,
      pid: gone,
      platformVersion: '0.1.0',
      origin: 'http://127.0.0.1:1',
      token: `t${round}`,
    };
    write(join(folder, '.platform/session.json'), JSON.stringify(stale));
    let ended = 0;
    const runs = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const stay = 'until [ -e done ]; do sleep 0.05; done';
        const argv = ['dev', '--port', '0', '--exec', stay];
        const run = await runPlatform(argv, { cwd: folder });
        ended += 1;
        // Now the one that runs may go.
        if (ended === 3) writeFileSync(join(folder, 'done'), '');
        return run;
      }),
    );
    winners.push(runs.filter(({ code }) => code === 0).length);
    const losers = runs.filter(({ code }) => code !== 0);
    for (const { code, stderr } of losers)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/already running/)]);
    expect(readdirSync(join(folder, '.platform')).filter((name) => name.startsWith('session'))).toEqual([]);
  }
  expect(winners).toEqual(Array.from({ length: rounds }, () => 1));
  console.log(`${rounds} x 4 starts at once over a stale session: ${winners.join(' ')} session each time`);
});
