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
  needsRoot?: boolean;
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

const plants: Plant[] = [
  { what: 'null', plant: (file) => write(file, 'null'), dev: 'replaces', says: /is not the session file/ },
  {
    what: 'cut short',
    plant: (file) => write(file, '{"version":1,"pi'),
    dev: 'replaces',
    says: /is not the session file/,
  },
  { what: 'empty', plant: (file) => write(file, ''), dev: 'replaces', says: /is not the session file/ },
  {
    what: 'a foreign host',
    plant: (file) => write(file, record('example.com')),
    dev: 'replaces',
    says: /is not the session file/,
  },
  {
    what: 'all interfaces',
    plant: (file) => write(file, record('0.0.0.0')),
    dev: 'replaces',
    says: /is not the session file/,
  },
  {
    what: 'a host in the name of the user',
    plant: (file) => write(file, record('127.0.0.1:80@127.0.0.2')),
    dev: 'replaces',
    says: /is not the session file/,
  },
  {
    what: 'a host that begins like a loopback address',
    plant: (file) => write(file, record('127.0.0.1.example.com')),
    dev: 'replaces',
    says: /is not the session file/,
  },
  {
    what: 'an address that does not exist',
    plant: (file) => write(file, record('127.0.0.256')),
    dev: 'replaces',
    says: /is not the session file/,
  },
  {
    what: 'mode 0644',
    plant: (file) => write(file, record('127.0.0.1'), 0o644),
    dev: 'replaces',
    says: /has mode 0644/,
  },
  {
    what: 'mode 0666',
    plant: (file) => write(file, record('127.0.0.1'), 0o666),
    dev: 'replaces',
    says: /has mode 0666/,
  },
  { what: 'a folder', plant: (file) => mkdirSync(file), dev: 'refuses', says: /is a folder/ },
  { what: 'a FIFO', plant: (file) => makeFifo(file), dev: 'refuses', says: /is a FIFO/ },
  {
    what: 'a link',
    plant(file, folder) {
      write(join(folder, 'elsewhere'), record('127.0.0.1'));
      symlinkSync(join(folder, 'elsewhere'), file);
    },
    dev: 'refuses',
    says: /is a symbolic link/,
  },
  {
    what: 'of another user',
    needsRoot: true,
    plant(file) {
      write(file, record('127.0.0.1'));
      chownSync(file, someoneElse, someoneElse);
    },
    dev: 'refuses',
    says: /belongs to another user/,
  },
  {
    what: 'in a folder of another user',
    needsRoot: true,
    plant(file) {
      write(file, record('127.0.0.1'));
      chownSync(join(file, '..'), someoneElse, someoneElse);
    },
    dev: 'refuses',
    says: /\.platform belongs to another user/,
  },
  {
    what: 'in a folder that is a link',
    plant(file, folder) {
      write(file, record('127.0.0.1'));
      spawnSync('mv', [join(folder, '.platform'), join(folder, 'moved')]);
      symlinkSync('moved', join(folder, '.platform'));
    },
    dev: 'refuses',
    says: /\.platform is a symbolic link/,
  },
];

const shown = (path: string): string =>
  existsSync(path) && statSync(path).isFile() ? readFileSync(path, 'utf8') : '';

test('never sends data to the address in a planted session file, and does not overwrite the file', async () => {
  const possible = plants.filter(({ needsRoot }) => !needsRoot || isRoot);
  received = 0;
  let slowest = 0;
  for (const { what, plant, says, dev } of possible) {
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
  const skipped = plants.length - possible.length;
  console.log(
    `planted session files: ${possible.length} of ${possible.length} refused, ${received} requests sent, slowest ${Math.round(slowest)} ms${skipped ? `; ${skipped} skipped: they need root to make another user's file` : ''}`,
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
  'rejects %s if it is a symlink, a FIFO or writable by other users',
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
