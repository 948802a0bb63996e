import { readdirSync, type Dirent } from 'node:fs';
import native, { join, type PlatformPath } from 'node:path';
import { readStats } from '../../base/node/read-stats.js';

export const isGlob = (text: string): boolean => /[*?{]/.test(text);

/**
 * Finds the files that match a pattern, where `*` and `?` match within a name, `**` matches zero or more folders, and
 * `{a,b}` matches either string. Folders that start with a dot and `node_modules` are searched only if the pattern contains
 * their names.
 */
export function expandGlob(
  pattern: string,
  cwd: string,
  read = readFolder,
  { parse, sep }: Pick<PlatformPath, 'parse' | 'sep'> = native,
): string[] {
  const found = expandBraces(pattern.replaceAll(sep, '/')).flatMap((one) => {
    const { root } = parse(one);
    const segments = one.slice(root.length).split('/');
    return match(
      root || cwd,
      segments.filter((segment) => segment && segment !== '.'),
      read,
    );
  });
  return [...new Set(found)];
}

/** Expands `a{b,c}` to `ab` and `ac`. Braces may be nested. */
export function expandBraces(pattern: string): string[] {
  const group = /\{([^{},]*,[^{}]*)\}/.exec(pattern);
  if (!group) return [pattern];
  const before = pattern.slice(0, group.index);
  const behind = pattern.slice(group.index + group[0].length);
  const all = (group[1] ?? '').split(',').flatMap((choice) => expandBraces(`${before}${choice}${behind}`));
  return [...new Set(all)];
}

function match(folder: string, [segment, ...rest]: readonly string[], read: typeof readFolder): string[] {
  if (segment === undefined) return [];
  if (segment === '**') {
    const deeper = read(folder).filter((entry) => entry.isDirectory() && isOpen(entry.name));
    return [
      ...match(folder, rest.length > 0 ? rest : ['*'], read),
      ...deeper.flatMap(({ name }) => match(join(folder, name), [segment, ...rest], read)),
    ];
  }
  if (!/[*?]/.test(segment)) return enter(join(folder, segment), rest, read);
  const expression = toExpression(segment);
  return read(folder)
    .filter(({ name }) => expression.test(name) && isOpen(name, segment))
    .flatMap(({ name }) => enter(join(folder, name), rest, read));
}

function enter(path: string, rest: readonly string[], read: typeof readFolder): string[] {
  const found = readStats(path);
  if (rest.length === 0) return found?.isFile() ? [path] : [];
  return found?.isDirectory() ? match(path, rest, read) : [];
}

const isOpen = (name: string, segment = ''): boolean =>
  (!name.startsWith('.') || segment.startsWith('.')) && name !== 'node_modules';

const toExpression = (segment: string): RegExp =>
  new RegExp(
    `^${segment
      .replace(/[.+^$()|[\]{}\\]/g, '\\$&')
      .replace(/\*+/g, '.*')
      .replaceAll('?', '.')}$`,
    'u',
  );

export function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
