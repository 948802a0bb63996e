import { join } from 'node:path';
import type { Submission } from '../submission/submission.js';
import type { PublishFinding } from './check.js';
import { rangeOf } from './position-of-markup.js';

/** Searches the sources for a pattern. `describe` returns undefined for a match that is not a problem. */
export const findInSources = (
  { manifest, sources = [] }: Submission,
  pattern: RegExp,
  describe: (match: RegExpExecArray) => { message: string; help: string } | undefined,
): PublishFinding[] =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const problem = describe(match);
      if (!problem) return [];
      const range = rangeOf(text, match.index, match[0].length);
      return [{ ...problem, file: join(manifest.folder, path), range }];
    }),
  );
