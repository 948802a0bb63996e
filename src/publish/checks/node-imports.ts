import { count } from '../../diagnostics/index.js';
import type { Check } from '../check.js';
import { skippedWithoutBuild } from './skipped.js';

export const nodeImports: Check = {
  code: 'publish/node-import',
  title: 'Web APIs',
  severity: 'error',
  summary: 'The script imports no Node modules.',
  run(submission) {
    const { bundle, building } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    const found = building.filter(({ code }) => code === 'bundle/node-import');
    if (found.length === 0) return { evidence: 'The script imports no Node modules.' };
    return {
      evidence: `The script imports Node modules in ${count(found.length, 'place')}.`,
      findings: found.map(({ message, help, file, range }) => ({
        message,
        file,
        ...(help !== undefined && { help }),
        ...(range && { range }),
      })),
    };
  },
};
