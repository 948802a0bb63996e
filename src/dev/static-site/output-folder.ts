import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from '../../base/node/is-inside.js';
import { parseJson } from '../../base/parse-json.js';
import { UserError } from '../../base/user-error.js';
import { recordAt } from '../../base/value-at-path.js';

/** Lists the files of a build, so the next one can replace them and nothing else. */
const listName = '.platform-site.json';

interface OutputFolder {
  /**
   * Lists files before they are written. Otherwise, the build after an interrupted one would not know who wrote them. Throws  if one
   * of them exists and no build wrote it.
   */
  plan(paths: Iterable<string>): void;
  write(path: string, bytes: string | Uint8Array): void;
  /** Removes the files of the previous build that this one did not write. */
  finish(): void;
}

/** Claims an empty folder, or the output of an earlier build. */
export function claimOutput(path: string, named: string): OutputFolder {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      'cannot-write',
      `${named} cannot be created (${code}).`,
      'Choose another output folder.',
    );
  }
  const folder = realpathSync(path);
  const former = readList(folder);
  if (!former && readdirSync(folder).length > 0)
    throw new UserError(
      'not-empty',
      `${named} is not empty, and its files are not from an earlier build.`,
      'Choose a new or empty folder, so no file is overwritten.',
    );
  const planned = new Set<string>();
  const isForeign = (file: string): boolean =>
    !former?.has(file) && lstatSync(join(folder, file), { throwIfNoEntry: false }) !== undefined;
  const save = (files: Iterable<string>): void =>
    writeFileSync(
      join(folder, listName),
      `${JSON.stringify({ version: 1, files: [...new Set(files)].sort() }, null, 1)}\n`,
    );
  return {
    plan(files) {
      for (const file of files) {
        if (!planned.has(file) && isForeign(file))
          throw new UserError(
            'foreign-file',
            `${named}/${file} is not from an earlier build, so it is not overwritten.`,
            'Move it, or choose another output folder.',
          );
        planned.add(file);
      }
      save([...(former ?? []), ...planned]);
    },
    write(file, bytes) {
      const target = join(folder, file);
      mkdirSync(dirname(target), { recursive: true });
      // A folder may have been replaced with a link.
      if (!isInside(dirname(target), folder)) return;
      rmSync(target, { force: true });
      writeFileSync(target, bytes, { flag: 'wx' });
    },
    finish() {
      save(planned);
      for (const file of former ?? []) {
        const target = join(folder, file);
        const isOurs = !planned.has(file) && isInside(dirname(target), folder);
        if (!isOurs || !lstatSync(target, { throwIfNoEntry: false })?.isFile()) continue;
        rmSync(target);
        removeEmpty(dirname(target), folder);
      }
    },
  };
}

function readList(folder: string): Set<string> | undefined {
  try {
    const { files } = recordAt(parseJson(readFileSync(join(folder, listName), 'utf8'), undefined));
    return Array.isArray(files) ? new Set(files.filter((file) => typeof file === 'string')) : undefined;
  } catch {
    return undefined;
  }
}

function removeEmpty(folder: string, root: string): void {
  if (folder === root || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), root);
}
