import { count } from '../../diagnostics/index.js';
import { findImport, type Import } from '../../bundle/index.js';
import { skippedWithoutBuild, type Check, type PublishFinding } from './check.js';

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
          ? 'All source files are in the project folder or in installed packages.'
          : `Found ${count(outside.length, 'source')} outside the folder.`,
      findings: outside.map(({ path, import: by, isForeign }) => ({
        message: isForeign
          ? `${path} is outside the project, but importing "${by?.specifier ?? path}" bundles it into the script.`
          : `${path} is outside the integration's folder.`,
        help: isForeign
          ? 'Remove the import, or remove the symlink or package.json field that points outside the folder.'
          : "Move it into the folder or into a package. Otherwise the folder can't be built on its own.",
        ...(isForeign && { severity: 'error' as const }),
        ...positionOfImport(by),
      })),
    };
  },
};

function positionOfImport(by: Import | undefined): Pick<PublishFinding, 'file' | 'range' | 'path'> {
  if (!by) return { path: ['script'] };
  const start = findImport(by);
  return { file: by.importer, range: { start, end: start } };
}
