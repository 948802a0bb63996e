import { count } from '../../diagnostics/index.js';
import { skippedWithoutBuild, type Check } from './check.js';

export const outsideSources: Check = {
  code: 'publish/outside-source',
  title: 'Sources',
  severity: 'warning',
  summary: "The script imports a file from outside the integration's folder.",
  run(submission) {
    const { bundle, outside } = submission;
    if (!bundle) return skippedWithoutBuild(submission);
    return {
      evidence:
        outside.length === 0
          ? 'All sources are in the folder or in packages.'
          : `Found ${count(outside.length, 'source')} outside the folder.`,
      findings: outside.map((path) => ({
        message: `${path} is outside the integration's folder.`,
        help: 'Move it into the folder or into a package. Otherwise the folder cannot be built by itself.',
        path: ['script'],
      })),
    };
  },
};
