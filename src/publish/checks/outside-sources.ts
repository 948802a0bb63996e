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
          ? 'All sources are in the folder or in packages.'
          : `Found ${count(outside.length, 'source')} outside the folder.`,
      findings: outside.map(({ path, import: by, isForeign }) => ({
        message: isForeign
          ? `${path} is not a part of the project, but the import of "${by?.specifier ?? path}" adds it to the script.`
          : `${path} is outside the integration's folder.`,
        help: isForeign
          ? 'Remove the import, or the link or the field in package.json that leads there.'
          : 'Move it into the folder or into a package. Otherwise the folder cannot be built by itself.',
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
