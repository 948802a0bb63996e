import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileFacts } from '../../src/content/folder/read-file-facts.js';
import { emptyFolder, readFolder } from '../../src/content/folder/read-folder.js';
import { matchFiles } from '../../src/content/revisions/match-files.js';
import { amount } from '../support/proved.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const histories = amount(15, 40);
const paths = ['a.md', 'b.md', 'A.md', 'g/README.md', 'g/c.md', 'h/c.md', 'h/deep/d.md'];
const path = fc.constantFrom(...paths);
const step = fc.oneof(
  fc.record({ type: fc.constant('write' as const), path, text: fc.integer({ min: 0, max: 1e9 }) }),
  fc.record({ type: fc.constant('move' as const), path, to: path }),
  fc.record({ type: fc.constant('swap' as const), path, to: path }),
  fc.record({ type: fc.constant('delete' as const), path }),
  fc.constant({ type: 'switch' as const, path: '' }),
);

/** Long enough to be unique, so that Git detects a rename only if there is one. */
const textOf = (seed: number): string =>
  Array.from({ length: 20 }, (_, line) => `line ${Math.imul(seed + 1, line + 791) ^ (seed * 31)}`).join('\n');

it(`finds the same changes as git diff -M in ${histories} random histories`, async () => {
  const folder = temporaryFolder();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'core.hooksPath=/dev/null', ...args], { cwd: folder, encoding: 'utf8' });
  git('init', '-q');
  git('config', 'user.email', 'test@example.com');
  git('config', 'user.name', 'Test');
  const pause = (): Promise<void> => Promise.resolve();
  const file = (name: string): string => join(folder, name);
  const exists = (name: string): boolean => {
    try {
      return readdirSync(dirname(file(name))).includes(name.split('/').at(-1) ?? '');
    } catch {
      return false;
    }
  };
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };

  // Another branch, on which a file is edited, one is moved, one is new and one is missing.
  for (const [seed, name] of ['a.md', 'h/c.md'].entries()) put(name, textOf(seed));
  renameSync(file('a.md'), file('b.md'));
  put('h/c.md', textOf(501));
  put('g/c.md', textOf(502));
  git('add', '-A');
  git('commit', '-q', '-m', 'other branch');
  git('branch', 'other');

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      for (const name of readdirSync(folder)) if (name !== '.git') rmSync(file(name), { recursive: true });
      for (const [seed, name] of ['a.md', 'g/README.md', 'h/c.md', 'h/deep/d.md'].entries())
        put(name, textOf(seed));
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'before');
      const before = await readFolder(folder, emptyFolder, pause);
      for (const one of steps) {
        // Git replaces each file that differs, as it does when a branch is checked out.
        if (one.type === 'switch') git('checkout', '-q', '--force', '--no-overlay', 'other', '--', '.');
        else if (one.type === 'write') put(one.path, textOf(one.text + 1000));
        else if (!exists(one.path)) continue;
        else if (one.type === 'delete') rmSync(file(one.path));
        else if (one.path !== one.to && (one.type === 'move' ? !exists(one.to) : exists(one.to))) {
          mkdirSync(dirname(file(one.to)), { recursive: true });
          if (one.type === 'swap') renameSync(file(one.to), file('swap'));
          renameSync(file(one.path), file(one.to));
          if (one.type === 'swap') renameSync(file('swap'), file(one.path));
        }
      }
      const after = await readFolder(folder, before, pause);
      const touched = new Set([...before.folders, ...after.folders]);
      const sorted = (all: Iterable<readonly [string, FileFacts]>) =>
        new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
      const partly = await readFolder(folder, before, pause, touched);
      expect(sorted(partly.files)).toEqual(sorted(after.files));
      expect(partly.folders).toEqual(after.folders);
      const found = matchFiles(before, after).flatMap((match) => {
        const [was, is] = [match.before, match.after];
        if (!was) return [`A ${is?.path}`];
        if (!is) return [`D ${was.path}`];
        // A rename with a simultaneous edit: Git sees two files, but the inode identifies one.
        if (was.path !== is.path && was.hash !== is.hash) return [`A ${is.path}`, `D ${was.path}`];
        if (was.path !== is.path) return [`R ${was.path} ${is.path}`];
        return was.hash === is.hash ? [] : [`M ${is.path}`];
      });
      git('add', '-A');
      const lines = git('diff', '--cached', '-M', '--name-status').split('\n').filter(Boolean);
      expect(found.sort()).toEqual(
        lines.map((line) => line.replace(/^R\d+/, 'R').replaceAll('\t', ' ')).sort(),
      );
    }),
    { numRuns: histories },
  );
}, 600_000);
