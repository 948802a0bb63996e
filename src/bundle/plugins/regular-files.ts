import { statSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { kindOf } from '../../base/node/regular-file.js';
import type { MessageDetail } from '../problems/to-diagnostic.js';

const installed = 'node_modules';

/**
 * Matches folders with another name by length and by character, because Go's regular expressions have no
 * lookahead.
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

/**
 * The bundler waits forever for a FIFO, and reads a device without end. Files of installed packages are
 * skipped, because each checked file slows down every build.
 */
export const regularFiles: Plugin = {
  name: 'regular-files',
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`^(/(${otherFolder}))+$`), namespace: 'file' }, ({ path }) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats || stats.isFile()) return undefined;
      return { errors: [{ text: `${path} is ${kindOf(stats)}, not a regular file`, detail }] };
    });
  },
};
