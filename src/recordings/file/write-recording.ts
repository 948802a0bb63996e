import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { kindOf } from '../../base/node/regular-file.js';
import { renameOver } from '../../base/node/replace-file.js';
import { endLinesAs } from '../../base/text/end-lines-as.js';
import { isReservedName } from '../../base/text/reserved-name.js';
import { UserError } from '../../base/user-error.js';
import { renderRecording } from './render-recording.js';
import { LARGEST_FILE, type Recording } from './recording.js';

const nameOfFile = /^[A-Za-z0-9][\w.-]{0,99}$/;

interface Place {
  /** The project's folder. Nothing is written outside this folder. */
  within: string;
  /** Whether an existing file may be replaced. */
  replace: boolean;
}

export function fileOfRecording(project: string, name: string): string {
  const stem = name.replace(/\.json$/, '');
  if (nameOfFile.test(stem) && !isReservedName(stem)) return join(project, 'recordings', `${stem}.json`);
  throw new UserError(
    'bad-value',
    `"${name}" is not a valid name for a recording.`,
    'Use letters, digits, dots, dashes and underscores, such as login-flow. Windows reserves names such as con, aux and nul.',
  );
}

/** Writes the whole recording or nothing, and never through a symlink. */
export function writeRecording(file: string, recording: Recording, { within, replace }: Place): void {
  const text = renderRecording(recording);
  if (Buffer.byteLength(text) > LARGEST_FILE)
    throw new UserError(
      'too-large',
      'The recording would be larger than 32 MB, so nothing was written.',
      'Record fewer calls in one file.',
    );
  const folder = dirname(file);
  makeFolder(folder);
  const [real, root] = [realpathSync(folder), realpathSync(within)];
  if (real !== root && !real.startsWith(root + sep))
    throw new UserError(
      'outside-project',
      `${folder} is outside the project, so nothing was written.`,
      `Choose a folder inside ${within}.`,
    );
  const target = join(real, basename(file));
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing && !existing.isFile())
    throw new UserError('not-a-file', `${file} is not a regular file.`, 'Choose another name.');
  if (existing && !replace) throw alreadyExists(file);
  const unfinished = join(real, `.${basename(file).slice(0, 60)}.${Math.random().toString(36).slice(2)}`);
  try {
    const handle = openSync(unfinished, 'wx', 0o666);
    try {
      writeFileSync(handle, existing ? endLinesAs(readFileSync(target, 'utf8'), text) : text);
    } finally {
      closeSync(handle);
    }
    if (replace) renameOver(unfinished, target);
    else moveToFreeName(unfinished, target, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** A rename would replace a recording written by another command in the meantime. */
function moveToFreeName(from: string, to: string, file: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(file);
    // Some file systems, such as exFAT, do not have links.
    renameOver(from, to);
    return;
  }
  unlinkSync(from);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) throw error;
    throw new UserError(
      'not-a-folder',
      `${folder} is ${kindOf(stats)}, not a folder, so nothing was written.`,
      'Rename or remove it.',
    );
  }
}

const alreadyExists = (file: string): UserError =>
  new UserError('file-exists', `${file} already exists.`, 'Choose another name, or pass --force.');
