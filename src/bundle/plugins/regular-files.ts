import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PartialMessage, Plugin } from 'esbuild';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';
import { kindOf, readRegularFile } from '../../base/node/regular-file.js';
import type { MessageDetail } from '../problems/to-diagnostic.js';
import { mappedFiles } from './mapped-files.js';

const installed = 'node_modules';

/**
 * Matches folders with any other name. Go's regular expressions do not support lookahead, so names are matched by length and
 * character.
 */
const otherFolder = [
  `[^/]{0,${installed.length - 1}}`,
  `[^/]{${installed.length + 1},}`,
  ...Array.from(
    installed,
    (character, at) => `${installed.slice(0, at)}[^${character}/][^/]{${installed.length - at - 1}}`,
  ),
].join('|');

const detail: MessageDetail = {
  code: 'bundle/build-error',
  help: 'Replace it with a regular file, or import another one.',
};

const detailOfMap: MessageDetail = {
  code: 'bundle/build-error',
  help: 'The source map comment on this line points to that file. Remove the comment, or fix the source map.',
};

/**
 * Rejects FIFOs and devices, even if only a source map refers to them, because the bundler would never finish reading them.
 * Files in installed packages are not checked, because each check slows down every build.
 */
export const regularFiles = (folder: string): Plugin => ({
  name: 'regular-files',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`^(/(${otherFolder}))+$`), namespace: 'file' }, ({ path }) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats) return undefined;
      if (!stats.isFile()) return { errors: [{ text: notRegular(path, kindOf(stats)), detail }] };
      const errors = faultsOfMaps(path, folder);
      return errors.length > 0 ? { errors } : undefined;
    });
  },
});

const notRegular = (path: string, kind: string): string => `${path} is ${kind}, not a regular file`;

/**
 * A file's source maps may refer only to files in its own project or package, because the text of those files becomes part of
 * the build.
 */
function faultsOfMaps(file: string, folder: string): PartialMessage[] {
  const text = readRegularFile(file).toString('utf8');
  if (!text.includes(' sourceMappingURL=')) return [];
  const project = realpathSync(folder);
  const home = isInside(file, project) ? project : dirname(findUp(dirname(file), 'package.json') ?? file);
  const faultOf = (path: string): string | undefined => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || stats.isDirectory()) return undefined;
    if (!stats.isFile()) return notRegular(path, kindOf(stats));
    return isInside(path, realpathSync(home)) ? undefined : `${path} is outside ${home}`;
  };
  const read = (path: string): string =>
    existsSync(path) && faultOf(path) === undefined ? readRegularFile(path).toString('utf8') : '';
  const faults = mappedFiles(file, text, read).map(faultOf);
  return faults.flatMap((fault) =>
    fault === undefined
      ? []
      : [{ text: fault, location: { file, line: lineOfMap(text) }, detail: detailOfMap }],
  );
}

const lineOfMap = (text: string): number =>
  text.slice(0, text.indexOf(' sourceMappingURL=')).split('\n').length;
