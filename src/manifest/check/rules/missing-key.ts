import type { ManifestFinding, ManifestRule } from '../rule-support/rule-context.js';
import { showPath } from '../rule-support/list-in-words.js';

export const missingKey: ManifestRule = {
  code: 'manifest/missing-key',
  severity: 'error',
  summary: 'A required field is missing.',
  *check({ value, mistakes, guide }) {
    for (const { path, key = '' } of mistakes('manifest/missing-key')) {
      const example = guide.exampleAt([...path, key], value);
      const line = `${key}: ${Array.isArray(example) ? '[]' : typeof example === 'string' ? example : '…'}`;
      const finding: ManifestFinding = {
        message: `${path.length > 0 ? showPath(path) : 'The manifest'} needs the field ${key}.`,
        help: `Add the line \`${line}\`.`,
        path: [...path, key],
      };
      if (path.length === 0 && key === 'visibility') finding.fix = { kind: 'add', key, value: 'private' };
      yield finding;
    }
  },
};
