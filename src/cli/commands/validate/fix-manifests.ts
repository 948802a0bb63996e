import { readFileSync } from 'node:fs';
import {
  applySeverities,
  renderDiff,
  type Diagnostic,
  type FixedFile,
  type FixedProblem,
} from '../../../diagnostics/index.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import { applyFixes, loadDocument } from '../../../manifest/index.js';
import { replaceFile } from '../../../base/node/replace-file.js';
import { describeFix, withoutOverlaps } from './describe-fix.js';
import type { CheckOptions, ManifestInput } from './check-manifests.js';

export interface FixOptions extends CheckOptions {
  cwd: string;
  dryRun: boolean;
}

/** One fix can make another one possible, so fixes are applied repeatedly until nothing changes. */
const rounds = 10;

/** Applies every safe fix. The returned `inputs` contain the text with the fixes applied. */
export function fixManifests(
  inputs: readonly ManifestInput[],
  options: FixOptions,
): { fixed: FixedFile[]; inputs: ManifestInput[] } {
  const fixed: FixedFile[] = [];
  const after = inputs.map(({ file }) => {
    const fix = fixText(file, options);
    if (!fix) return { file };
    if (!options.dryRun) write(file, fix.text, options.cwd);
    const old = loadDocument({ file, text: fix.original });
    const { source } = loadDocument({ file, text: fix.text });
    const diff = renderDiff(relativePath(options.cwd, file), old.source, source);
    fixed.push({ file, count: fix.problems.length, diff, problems: fix.problems });
    return { file, text: fix.text };
  });
  return { fixed, inputs: after };
}

function fixText(
  file: string,
  { env, chosen, choices }: FixOptions,
): { original: string; text: string; problems: FixedProblem[] } | undefined {
  if (!loadDocument({ file, env, ...chosen }).diagnostics.some(isFixable)) return undefined;
  const original = readFileSync(file, 'utf8');
  let text = original;
  const problems: FixedProblem[] = [];
  for (let round = 0; round < rounds; round++) {
    const { diagnostics, source } = loadDocument({ file, text, env, ...chosen });
    const fixable = withoutOverlaps(applySeverities(diagnostics, choices).filter(isFixable));
    const next = applyFixes(text, fixable);
    if (next === text) break;
    text = next;
    problems.push(...fixable.flatMap((diagnostic) => describeFix(diagnostic, source)));
  }
  return text === original ? undefined : { original, text, problems };
}

function write(file: string, text: string, cwd: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      'cannot-write',
      `${relativePath(cwd, file)} cannot be written (${code ?? String(error)}).`,
      'Check the permissions of the file and its folder, and the free disk space.',
    );
  }
}

const isFixable = ({ fix, ignored }: Diagnostic): boolean => fix !== undefined && ignored === undefined;
