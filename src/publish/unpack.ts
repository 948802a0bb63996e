import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from '../diagnostics/index.js';
import { manifestFileName } from '../manifest/index.js';
import { readTar, type TarFile } from './tar.js';

export interface Unpacked {
  folder: string;
  manifestFile: string;
  close(): void;
}

const mostBytes = 64 * 1024 * 1024;

/** A packed submission, in a folder of its own for as long as it is looked at. */
export function unpack(file: string): Unpacked {
  const files = read(file);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'platform-pack-')));
  for (const { path, bytes } of files) {
    const target = join(folder, normalize(path));
    if (!target.startsWith(folder + sep)) {
      rmSync(folder, { recursive: true });
      throw new UserError('bad-pack', `${file} holds a file that would lie outside: ${path}`);
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  return {
    folder,
    manifestFile: join(folder, manifestFileName),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function read(file: string): TarFile[] {
  try {
    return readTar(gunzipSync(readFileSync(file), { maxOutputLength: mostBytes }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      'bad-pack',
      `${file} can't be read as a packed submission: ${reason}`,
      'Make one with "platform publish-check --pack out.tgz".',
    );
  }
}
