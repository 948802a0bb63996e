import { count } from '../../diagnostics/index.js';
import type { Check, PublishFinding } from './check.js';

export const leakedSecrets: Check = {
  code: 'publish/leaked-secret',
  title: 'Secrets',
  severity: 'error',
  summary: 'The submission contains a secret, key or token.',
  run({ leaks: { found, files } }) {
    return {
      evidence:
        found.length === 0 ? `Checked ${count(files, 'file')}.` : `Found in ${count(found.length, 'place')}.`,
      findings: found.map(({ kind, more, line, shown, file, generated }): PublishFinding => ({
        message: `${shown} contains ${kind}${line === undefined ? '' : ` (line ${line})`}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}.`,
        help: 'Revoke it, because anyone who could read the file may have a copy. Then remove it and declare a secret instead.',
        ...(file !== undefined && { file }),
        ...(line !== undefined && { range: lineRange(line) }),
        ...(generated && { path: ['script'] }),
      })),
    };
  },
};

const lineRange = (line: number) => ({ start: { line, column: 1 }, end: { line, column: 1 } });
