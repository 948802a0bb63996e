import { gzipSync } from 'node:zlib';
import { UserError } from '../base/user-error.js';
import { manifestFileName } from '../manifest/index.js';
import { replaceValue } from '../manifest/fix/replace-value.js';
import type { CheckedProject } from './check-project.js';
import { writeTar, type TarFile } from './packed/tar-headers.js';
import { maxPackBytes } from './packed/unpack.js';

export interface Pack {
  files: { path: string; bytes: number }[];
  archive: Uint8Array;
}

const scriptFile = './script.js';

/** Packs the manifest, the built script and the images. The same input always produces the same bytes. */
export function packSubmission({ submission }: CheckedProject): Pack {
  if (!submission?.bundle) {
    const why = submission ? 'the script does not build' : 'the manifest has errors';
    throw new UserError('nothing-to-pack', `There is nothing to pack: ${why}.`);
  }
  const { manifest, bundle, assets } = submission;
  if (manifest.profile)
    throw new UserError(
      'nothing-to-pack',
      `This project is for ${manifest.profile.name}, so it cannot be submitted here as it is.`,
      'Publish it with the tool it came from, or convert it: platform init --from',
    );
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);
  const files: TarFile[] = [
    { path: manifestFileName, bytes: text(replaceValue(manifest.text, ['script'], scriptFile)) },
    { path: 'script.js', bytes: text(bundle.code) },
    ...assets.map(({ path, bytes }) => ({ path, bytes })),
  ];
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > maxPackBytes - 1024 * 1024)
    throw new UserError(
      'pack-too-large',
      `The submission is ${total} bytes, and the limit is ${maxPackBytes - 1024 * 1024}.`,
      'Make the images or the script smaller.',
    );
  const archive = gzipSync(writeTar(files), { level: 9 });
  // The gzip header contains the operating system. It is overwritten so that all systems produce the same bytes.
  archive[9] = 255;
  return { files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })), archive };
}
