import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { searchSecrets } from './find-secrets.js';
import type { Leak, Leaks, Submission } from './submission.js';

/** How long it may take to notice an interrupt, in milliseconds. */
const turnMs = 50;

/** Searches everything that would be packed, and the sources of the built script. */
export async function findLeaks(
  submission: Omit<Submission, 'leaks'>,
  interrupted: AbortSignal | undefined,
): Promise<Leaks> {
  const { secrets } = submission.manifest.integration;
  const texts = textsOf(submission);
  const found: Leak[] = [];
  let turned = performance.now();
  for (const { shown, text, file, lines, generated = false } of texts) {
    for (const secret of searchSecrets(text, secrets)) {
      if (performance.now() - turned > turnMs) {
        await setImmediate();
        interrupted?.throwIfAborted();
        turned = performance.now();
      }
      if (!secret) continue;
      const { kind, more, index } = secret;
      // A secret in a source file is also in the built script. Only the source file is reported, because that is where the
      // author must remove the secret.
      if (generated && found.some((one) => one.kind === kind)) continue;
      const line = lines ? text.slice(0, index).split('\n').length : undefined;
      found.push({
        kind,
        more,
        shown,
        generated,
        ...(line !== undefined && { line }),
        ...(file !== undefined && { file }),
      });
    }
  }
  return { found, files: texts.length };
}

interface SearchedText {
  shown: string;
  text: string;
  /** An absolute path. If it is absent, the problem is reported at `script` in the manifest. */
  file?: string;
  /** Whether the file has lines that can be opened in an editor. */
  lines?: boolean;
  generated?: boolean;
}

function textsOf({ manifest, bundle, sources, assets, packed }: Omit<Submission, 'leaks'>): SearchedText[] {
  const fileAt = (path: string): string => join(manifest.folder, path);
  const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
  if (packed)
    return packed.map(({ path, bytes }) => ({ shown: path, text: latin1(bytes), file: fileAt(path) }));
  return [
    ...(sources ?? []).map(({ path, text }) => ({ shown: path, text, file: fileAt(path), lines: true })),
    ...(bundle ? [{ shown: 'the built script', text: bundle.code, generated: true }] : []),
    { shown: 'platform-manifest.yaml', text: manifest.text, file: manifest.file, lines: true },
    ...assets.map(({ path, bytes }) => ({ shown: path, text: latin1(bytes), file: fileAt(path) })),
  ];
}
