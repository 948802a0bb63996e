import { join } from 'node:path';
import { count } from '../../diagnostics/index.js';
import type { Check, PublishFinding } from '../check.js';
import { findSecrets } from '../submission/find-secrets.js';
import type { Submission } from '../submission/submission.js';

export const leakedSecrets: Check = {
  code: 'publish/leaked-secret',
  title: 'Secrets',
  severity: 'error',
  summary: 'The submission contains a secret, key or token.',
  run(submission) {
    const secrets = submission.manifest.integration.secrets;
    const found = new Map<string, PublishFinding>();
    const texts = textsOf(submission);
    for (const { shown, text, ...at } of texts) {
      for (const { kind, where } of findSecrets(text, secrets)) {
        // A secret in a source file is also in the built script. Only the source is reported, because the
        // author fixes it there.
        if (at.generated && [...found.keys()].some((key) => key.startsWith(`${kind} `))) continue;
        found.set(`${kind} ${shown}`, {
          message: `${shown} contains ${kind}${at.lines ? ` (line ${where})` : ''}.`,
          help: 'Revoke it, because anyone who could read the file may have a copy. Then remove it and declare a secret instead.',
          ...(at.file !== undefined && { file: at.file }),
          ...(at.lines && { range: lineRange(where) }),
          ...(at.generated && { path: ['script'] }),
        });
      }
    }
    return {
      evidence:
        found.size === 0
          ? `Checked ${count(texts.length, 'file')}.`
          : `Found in ${count(found.size, 'place')}.`,
      findings: [...found.values()],
    };
  },
};

interface SearchedText {
  shown: string;
  text: string;
  /** Absolute path. If omitted, the problem is reported at the manifest's `script`. */
  file?: string;
  /** Whether a person can open it at a line. */
  lines?: boolean;
  generated?: boolean;
}

/** Everything that would be packed, and the sources that it is built from. */
function textsOf({ manifest, bundle, sources, assets, packed }: Submission): SearchedText[] {
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

const lineRange = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 1 } });
