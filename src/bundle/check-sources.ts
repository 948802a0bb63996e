import type { Diagnostic } from '../diagnostics/model/diagnostic.js';
import { createIgnores, type IgnoreComment } from '../diagnostics/apply-ignores.js';
import { bundleProblems } from './problems/bundle-problems.js';
import { checkApis } from './check-apis.js';
import type { SourceFile } from './source-file.js';
import { findIgnoreComments } from './find-ignore-comments.js';

export interface CheckedSources {
  /** Problems that the build has found. If a comment ignores a problem, the problem includes the comment's reason. */
  building: Diagnostic[];
  /** Uses of blocked and non-portable APIs, and ignore comments that are unused or do not give a reason. */
  apis: Diagnostic[];
  /** Ignore comments, keyed by the absolute path of their file. */
  comments: ReadonlyMap<string, readonly IgnoreComment[]>;
}

/** Checks the author's sources and applies their ignore comments to all problems. */
export async function checkSources(
  building: readonly Diagnostic[],
  sources: readonly SourceFile[],
): Promise<CheckedSources> {
  const [apis, found] = await Promise.all([
    checkApis(sources),
    Promise.all(sources.map(async (source) => [source.file, await findIgnoreComments(source)] as const)),
  ]);
  const comments = new Map(found);
  const ignores = createIgnores({ comments, codes, isLocked });
  const [ofBuild, ofApis] = [ignores.apply(building), ignores.apply(apis)];
  return { building: ofBuild, apis: [...ofApis, ...ignores.problems()], comments };
}

const codes = bundleProblems.map(({ code }) => code);
/** Problems that cannot be ignored: code that does not build, and imports of Node modules. */
const isLocked = (code: string): boolean =>
  code !== 'bundle/refused-api' &&
  bundleProblems.some((one) => one.code === code && one.severity === 'error');
