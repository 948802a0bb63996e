import { count } from '../../diagnostics/index.js';
import type { Check, PublishFinding } from '../check.js';
import { findSecrets } from '../find-secrets.js';

export const leakedSecrets: Check = {
  code: 'publish/leaked-secret',
  title: 'Secrets',
  severity: 'error',
  summary: 'No secret, key or token is in what would be submitted.',
  look({ manifest, bundle, sources, assets }) {
    const values = manifest.integration.secrets;
    const texts = [
      ...(sources ?? []).map(({ path, text }) => ({ path, text })),
      ...(bundle ? [{ path: 'the built script', text: bundle.code }] : []),
      { path: 'platform-manifest.yaml', text: manifest.text },
      ...assets.map(({ path, bytes }) => ({ path, text: Buffer.from(bytes).toString('latin1') })),
    ];
    const found = new Map<string, PublishFinding>();
    for (const { path, text } of texts) {
      for (const { kind, where } of findSecrets(text, values)) {
        // What stands in a source stands in the built script too.
        if (path === 'the built script' && [...found.keys()].some((key) => key.startsWith(`${kind} `)))
          continue;
        found.set(`${kind} ${path}`, {
          message: `${path} holds ${kind}${path === 'the built script' ? '' : ` (line ${where})`}.`,
          help: 'Take it out, declare a secret in its place, and revoke it: whoever has seen it has it.',
        });
      }
    }
    return {
      evidence:
        found.size === 0
          ? `None in ${count(texts.length, 'file')}.`
          : `Found in ${count(found.size, 'place')}.`,
      findings: [...found.values()],
    };
  },
};
