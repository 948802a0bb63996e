import { errorMessage } from '../../base/text/error-message.js';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from '../../base/user-error.js';
import { visible } from '../../base/escape-control-characters.js';
import { isRefusedFile, readRegularFile } from '../../base/node/regular-file.js';
import { manifestFileName } from '../../manifest/index.js';
import { readTar, type TarFile } from './tar-headers.js';

/** The maximum size of the packed file, and of its contents. */
export const maxPackBytes = 32 * 1024 * 1024;
const maxFiles = 100;

/** Reads the files in a packed submission. On failure, throws a UserError with the archive, the entry and the reason. */
export function readPack(archive: string, shown: string): TarFile[] {
  try {
    const files = readTar(gunzip(readRegularFile(archive, maxPackBytes)), { maxFiles });
    refuseBadPaths(files.map(({ path }) => path));
    return files;
  } catch (error) {
    const reason = isRefusedFile(error) ? `it ${error.reason}` : errorMessage(error);
    throw new UserError(
      'bad-pack',
      `${shown} is not a packed submission: ${visible(reason)}.`,
      'Create one with "platform publish-check --pack out.tgz".',
    );
  }
}

/**
 * Writes the files to a temporary folder that exists while `read` is running. All of this is synchronous, so no signal can
 * end the process between creating the folder and removing it.
 */
export function withUnpacked<Result>(files: readonly TarFile[], read: (folder: string) => Result): Result {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-pack-')));
  try {
    for (const { path, bytes } of files) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
    }
    return read(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxPackBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new RangeError(`it unpacks to more than ${maxPackBytes} bytes`);
    throw new RangeError(
      code === 'Z_BUF_ERROR' ? 'it is truncated' : 'it is not compressed with gzip, or is corrupt',
    );
  }
}

/** Matches paths that some systems would treat as a different path, or as the same file as another path. */
const unsafe = /^$|^\/|^[a-z]:|[\\\p{Cc}]|(^|\/)\.{0,2}(\/|$)|\uFFFD/iu;

function refuseBadPaths(paths: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    if (unsafe.test(path)) throw new RangeError(`"${path}" is not a valid relative path`);
    const same = path.normalize('NFC').toLowerCase();
    const other = seen.get(same);
    if (other === path) throw new RangeError(`"${path}" occurs twice`);
    if (other !== undefined)
      throw new RangeError(`"${path}" and "${other}" are the same file on some systems`);
    seen.set(same, path);
  }
  for (const [same, path] of seen) {
    for (let folder = dirname(same); folder !== '.'; folder = dirname(folder)) {
      const file = seen.get(folder);
      if (file !== undefined) throw new RangeError(`"${file}" is both a file and the folder of "${path}"`);
    }
  }
  if (!paths.includes(manifestFileName)) throw new RangeError(`it contains no ${manifestFileName}`);
}
