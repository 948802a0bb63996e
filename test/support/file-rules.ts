import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { onTestFinished } from 'vitest';
import { isReservedName } from '../../src/base/text/reserved-name.js';

const { existsSync, lstatSync, readdirSync, readlinkSync } = fs;

const rules = {
  Windows: {
    fold: (name: string): string =>
      name.replaceAll(/[^]/gu, (one) => (one === '\u00df' ? one : one.toUpperCase())),
    isAllowed: (name: string): boolean =>
      !/[<>:"|?*\\\p{Cc}]|[. ]$/u.test(name) && !isReservedName(name) && name.length <= 255,
    /** Open files cannot be renamed or removed, unless every program that opened them allows it. The database driver does not. */
    locksFiles: true,
    stored: (name: string): string => name,
  },
  macOS: {
    fold: (name: string): string => name.normalize('NFD').toLowerCase(),
    isAllowed: (): boolean => true,
    locksFiles: false,
    /** As HFS+ does. APFS stores the name as it was given. */
    stored: (name: string): string => name.normalize('NFD'),
  },
};

export type RuledSystem = keyof typeof rules;

/** Files whose names are equal in this form are the same file. */
export const foldName = (system: RuledSystem, name: string): string => rules[system].fold(name);

const failing = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: by the rules of the system, '${path}'`), { code, path });

/** Whether this process has the file, or a file in the folder, open. */
const isOpen = (path: string): boolean =>
  readdirSync('/proc/self/fd').some((handle) => {
    try {
      return `${readlinkSync(`/proc/self/fd/${handle}`)}${sep}`.startsWith(`${path}${sep}`);
    } catch {
      return false;
    }
  });

/** Until the test ends, Node's synchronous file functions follow the rules of another system inside a folder. */
export function followFileRules(system: RuledSystem, root: string): void {
  const { fold, isAllowed, locksFiles, stored } = rules[system];
  const isInside = (path: unknown): path is string =>
    typeof path === 'string' && resolve(path).startsWith(root + sep);

  /** The path as the file system has it. The last names may not exist. */
  const actual = (path: string): string => {
    const full = resolve(path);
    if (full === root) return root;
    const parent = actual(dirname(full));
    const name = stored(basename(full));
    if (existsSync(join(parent, name)) || !existsSync(parent)) return join(parent, name);
    const twin = lstatSync(parent).isDirectory()
      ? readdirSync(parent).find((other) => fold(other) === fold(name))
      : undefined;
    return join(parent, twin ?? name);
  };
  const given = (path: unknown): unknown => (isInside(path) ? actual(path) : path);
  const target = (path: unknown): unknown => {
    if (!isInside(path)) return path;
    const file = actual(path);
    if (!existsSync(file) && !isAllowed(basename(file))) throw failing('EINVAL', path);
    return file;
  };
  const free = (path: unknown): unknown => {
    const file = given(path);
    if (locksFiles && isInside(file) && isOpen(file)) throw failing('EBUSY', file);
    return file;
  };

  type Any = (...given: unknown[]) => unknown;
  const functions = fs as unknown as Record<string, Any>;
  const originals: Record<string, Any> = Object.fromEntries(
    Object.entries(functions).filter(([name]) => name.endsWith('Sync')),
  );
  const original = (name: string): Any =>
    originals[name] ??
    ((): never => {
      throw new Error(`No function ${name}.`);
    });
  const paths = (names: string, ...change: ((path: unknown) => unknown)[]): void => {
    for (const name of names.split(' '))
      functions[name] = (...args) => original(name)(...args.map((value, at) => change[at]?.(value) ?? value));
  };
  paths(
    'existsSync statSync lstatSync readFileSync readdirSync opendirSync chmodSync utimesSync accessSync',
    given,
  );
  paths('writeFileSync appendFileSync mkdirSync', target);
  paths('rmSync unlinkSync rmdirSync', free);
  paths('linkSync copyFileSync', given, target);
  functions['openSync'] = (path, flags, ...rest) => {
    const creates = typeof flags === 'string' ? /[wa]/.test(flags) : Number(flags) & fs.constants.O_CREAT;
    return original('openSync')(creates ? target(path) : given(path), flags, ...rest);
  };
  functions['renameSync'] = (from, to) => {
    const [source, into] = [free(from), free(target(to))];
    // A name can be replaced with its twin.
    const isTwin = source === into && isInside(to);
    return original('renameSync')(source, isTwin ? join(dirname(String(into)), stored(basename(to))) : into);
  };
  const { native } = fs.realpathSync;
  // Only the native function returns names as they are stored.
  functions['realpathSync'] = Object.assign(
    (path: unknown) => {
      const found = original('realpathSync')(given(path));
      return isInside(path) && found === given(path) ? resolve(path) : found;
    },
    { native: (path: unknown) => native(given(path) as string) },
  );
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(functions, originals);
    syncBuiltinESMExports();
  });
}
