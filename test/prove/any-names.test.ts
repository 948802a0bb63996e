import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isUserError } from '../../src/base/user-error.js';
import { openContent, type PageEntry } from '../../src/content/index.js';
import { watchFiles } from '../../src/dev/reload/watch-files.js';
import { readRecording } from '../../src/recordings/file/read-recording.js';
import { fileOfRecording, writeRecording } from '../../src/recordings/file/write-recording.js';
import { sampleRecording } from '../recordings/sample-recording.js';
import { foldName, followFileRules } from '../support/file-rules.js';
import { amount } from '../support/proved.js';
import { seededRandom } from '../support/random.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const words =
  'con PRN aux.txt nul com1 LPT9 com\u00b9 readme Index summary node_modules caf\u00e9 cafe\u0301 CAF\u00c9 \u00c5 ' +
  '\u212b stra\u00dfe STRASSE I\u0307 \u0131 a A b guide Guide \u{1f600} \u200b \u202e \ud800 . .. - ~ _ % %20 %2e ' +
  '$HOME ` \' " \u201c & ^ ; # ? * : | < > ( [ { ! = + , @ \\';
const parts = [...words.split(' '), 'x'.repeat(90), ' ', '\u00a0', '\u0007', '\n'];
const texts = [
  '',
  '# A\n\nText.\n',
  '# A\r\n\r\nText.\r\n',
  '\uFEFF# \u00e9\r\n',
  'a\rb',
  '---\ntitle: "x\n',
  '{% @a/b',
];

function createNames(seed: number) {
  const random = seededRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('Nothing to pick from.');
    return value;
  };
  const name = (): string => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(parts)).join('');
  const path = (): string => Array.from({ length: 1 + Math.floor(random() ** 2 * 4) }, name).join('/');
  /** A path that does not lead to another folder. */
  const pathInside = (): string => path().replaceAll(/(?<=^|\/)\.{1,2}(?=\/|$)/g, 'dots');
  return { pick, name, path, pathInside };
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();
const flat = (pages: readonly PageEntry[]): PageEntry[] =>
  pages.flatMap((page) => [page, ...flat(page.pages)]);

/** What no program may create, because another system could not store it. */
const isPortable = (path: string): boolean =>
  path
    .split('/')
    .every((name) => !/[<>:"|?*\\\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com[\d¹]|lpt\d)(?:\.|$)/iu.test(name));

describe.each([undefined, 'Windows', 'macOS'] as const)('any name by the rules of %s', (system) => {
  const enter = (): string => {
    const folder = temporaryFolder();
    if (system) followFileRules(system, folder);
    return folder;
  };

  test('is a page that can be created, written, moved and removed, or is rejected', async () => {
    const folder = enter();
    const { pick, path } = createNames(1);
    writeFileSync(join(folder, 'README.md'), '# Start\n');
    const ids = { read: () => ({}), write: () => {} };
    const content = openContent({ folder, spaceId: 's', clock: { now: () => 0 }, ids });
    await content.ready;
    const seen = { invalid: 0, taken: 0, created: 0, moved: 0 };
    for (let round = 0; round < amount(150, 2000); round += 1) {
      const [wanted, text] = [path(), pick(texts)];
      const made = await content.create(wanted, text);
      if (typeof made === 'string') {
        seen[made] += 1;
        continue;
      }
      seen.created += 1;
      const page = content.page(made.id);
      expect([wanted, page?.text]).toEqual([wanted, text]);
      expect(folded(page?.file ?? '')).toBe(folded(`${wanted.trim().replace(/\.md$/i, '')}.md`));
      expect([page?.file, isPortable(page?.file ?? '')]).toEqual([page?.file, true]);
      expect(content.pageByPath(page?.path ?? '')?.id).toBe(made.id);
      const edited = `${text}\r\nMore.\r\n`;
      expect(await content.write(made.id, { text: edited, hash: page?.hash ?? '' })).toBe('written');
      const target = path();
      const moved = await content.move(made.id, target);
      expect(['moved', 'taken', 'invalid']).toContain(moved);
      if (moved === 'moved') seen.moved += 1;
      const now = content.page(made.id);
      expect([target, moved, now?.text]).toEqual([target, moved, edited]);
      if (round % 3 === 0) expect(await content.remove(made.id, now?.hash ?? '')).toBe('removed');
    }
    const files = flat(content.pages()).flatMap(({ file }) => file ?? []);
    if (system) expect(new Set(files.map((file) => foldName(system, file))).size).toBe(files.length);
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    content.close();
  });

  test('is a folder that `init` fills with a valid project, or is rejected', async () => {
    const cwd = enter();
    const { name } = createNames(2);
    const ends = new Set<number>();
    for (let round = 0; round < amount(25, 2000); round += 1) {
      const folder = name();
      const argv = ['init', '-t', 'blank', '-o', 'acme', '--name', 'hello', '--', folder];
      const { code, stderr } = await runCli(argv, { cwd });
      expect([folder, code, stderr]).toEqual([
        folder,
        code === 2 ? 2 : 0,
        expect.not.stringContaining('bug'),
      ]);
      ends.add(code);
      if (code === 0) {
        const checked = await runCli(['validate', '--json'], { cwd: join(cwd, folder) });
        expect([folder, checked.code]).toEqual([folder, 0]);
      }
    }
    expect(ends).toEqual(new Set([0, 2]));
  });

  test('is the path of a manifest whose problems `validate` reports', async () => {
    const cwd = enter();
    const { name, pick } = createNames(3);
    const manifest =
      'name: a\ntitle: A\ndescription: Does it.\norganization: o\nvisibility: hidden\nscopes: []\n';
    for (let round = 0; round < amount(100, 2000); round += 1) {
      const folder = name().replaceAll(/^\.+$|[*?{}\\]/g, 'z');
      const file = join(folder, 'platform-manifest.yaml');
      try {
        mkdirSync(join(cwd, folder), { recursive: true });
      } catch {
        continue;
      }
      const text = pick(['', '\uFEFF']) + manifest.replaceAll('\n', pick(['\n', '\r\n']));
      writeFileSync(join(cwd, file), text);
      const { code, stdout } = await runCli(['validate', '--json', '--', file], { cwd });
      expect([file, code]).toEqual([file, 1]);
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { range: { start: object } }[] };
      const starts = diagnostics.map(({ range }) => range.start);
      expect([file, starts]).toEqual([
        file,
        expect.arrayContaining([expect.objectContaining({ line: 5, column: 13 })]),
      ]);
      const fixed = await runCli(['validate', '--fix', '--', file], { cwd });
      expect([file, fixed.code < 3, readFileSync(join(cwd, file), 'utf8')]).toEqual([file, true, text]);
    }
  });

  test('is a file whose changes are noticed', async () => {
    const folder = enter();
    const { pathInside } = createNames(4);
    const all = amount(100, 2000);
    for (let round = 0; round < all; round += 50) {
      const files = Array.from({ length: 50 }, () => join(folder, pathInside())).filter((file) => {
        try {
          mkdirSync(join(file, '..'), { recursive: true });
          writeFileSync(file, 'a', { flag: 'wx' });
          return true;
        } catch {
          return false;
        }
      });
      const left = new Set(files);
      const stop = new AbortController();
      await new Promise<void>((resolve) => {
        const changed = (paths: string[]): void => {
          for (const one of paths) left.delete(one);
          if (left.size === 0) resolve();
        };
        watchFiles(files, changed, { signal: stop.signal, settleMs: 1, heartbeatMs: 20 });
        for (const file of files) writeFileSync(file, 'changed');
      });
      stop.abort();
      expect([...left]).toEqual([]);
    }
  });

  test('is a recording that can be read again, or is rejected', () => {
    const folder = enter();
    const { name, pick } = createNames(5);
    const written = new Map<string, string>();
    const seen = { rejected: 0, taken: 0 };
    for (let round = 0; round < amount(300, 2000); round += 1) {
      const recording = { ...sampleRecording({}), secrets: { API_KEY: name().replace('\ud800', '') } };
      const wanted = pick([name(), `${pick(['a', 'B', 'com1', 'aux'])}-${round % 40}`]);
      try {
        const file = fileOfRecording(folder, wanted);
        writeRecording(file, recording, { within: folder, replace: false });
        expect([wanted, isPortable(file.slice(folder.length + 1)), written.has(file)]).toEqual([
          wanted,
          true,
          false,
        ]);
        written.set(file, recording.secrets.API_KEY);
      } catch (error) {
        if (!isUserError(error)) throw error;
        seen[error.code === 'file-exists' ? 'taken' : 'rejected'] += 1;
      }
    }
    for (const [file, secret] of written) expect(readRecording(file).secrets).toEqual({ API_KEY: secret });
    expect(readdirSync(join(folder, 'recordings')).length).toBe(written.size);
    expect(existsSync(folder) && Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});
