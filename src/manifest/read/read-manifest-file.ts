import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { findUp } from '../../base/node/folders-up.js';
import { isInside } from '../../base/node/is-inside.js';
import { inspectText, type ReadSource } from './text-problems.js';
import type { Problem } from '../yaml/tree.js';

export const maxManifestBytes = 256 * 1024;

export function readSource(file: string): ReadSource {
  try {
    const status = statSync(file);
    if (!status.isFile()) return unreadable('This is not a file.', 'Specify the path to a file.');
    if (lstatSync(file).isSymbolicLink() && leadsOut(file))
      return unreadable(
        'This symbolic link points to a file outside the project.',
        'Replace the link with the file itself.',
      );
    return status.size > maxManifestBytes
      ? { text: '', problems: [tooLarge(status.size)] }
      : decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? unreadable('File not found.', 'Check the path, or create the file with `platform init`.')
      : unreadable(`The file cannot be read (${code ?? 'unknown reason'}).`, 'Check its permissions.');
  }
}

/** Problem messages quote the file's text, so a symlink must not point to an unrelated file on this machine. */
function leadsOut(link: string): boolean {
  const folder = realpathSync(dirname(link));
  const git = findUp(folder, '.git');
  return !isInside(link, git === undefined ? folder : dirname(git));
}

export function checkSource(text: string): ReadSource {
  const bytes = Buffer.byteLength(text);
  return bytes > maxManifestBytes ? { text: '', problems: [tooLarge(bytes)] } : inspectText(text);
}

function decode(bytes: Buffer): ReadSource {
  if (isUtf8(bytes)) return inspectText(bytes.toString('utf8'));
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const wide = bytes.length > 1 && [0xff_fe, 0xfe_ff].includes(bytes.readUInt16BE(0));
  const start = wide ? 0 : firstBadCharacter(bytes);
  const message = wide ? 'The file is saved as UTF-16.' : 'A character here is not valid UTF-8.';
  return {
    text,
    problems: [
      { code: 'manifest/encoding', message, help: 'Save the file as UTF-8.', start, end: start + 1 },
    ],
  };
}

function firstBadCharacter(bytes: Buffer): number {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const offset = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xef_bb_bf ? 3 : 0;
  let at = text.indexOf('\uFFFD');
  for (; at >= 0; at = text.indexOf('\uFFFD', at + 1)) {
    const start = offset + Buffer.byteLength(text.slice(0, at));
    if (bytes.toString('latin1', start, start + 3) !== '\xEF\xBF\xBD') return at;
  }
  return 0;
}

const unreadable = (message: string, help: string): ReadSource => ({
  text: '',
  problems: [{ code: 'manifest/unreadable', message, help, start: 0, end: 0 }],
});

const tooLarge = (bytes: number): Problem => ({
  code: 'manifest/too-large',
  message: `The file is ${bytes} bytes. A manifest can be at most ${maxManifestBytes} bytes.`,
  help: 'Check that this is the right file. Long descriptions belong in documentation.',
  start: 0,
  end: 0,
});
