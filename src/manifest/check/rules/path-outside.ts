import { isAbsolute } from 'node:path';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { projectPathsOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

export const pathOutside: ManifestRule = {
  code: 'manifest/path-outside',
  severity: 'error',
  summary: "script, icon or previewImages refers to a file outside the manifest's folder.",
  *check({ value, files }) {
    if (!files) return;
    for (const { path, text } of projectPathsOf(value)) {
      if (isAbsolute(text))
        yield {
          message: `${showValue(text)} is an absolute path.`,
          help: "Write the path relative to the manifest's folder, such as ./src/index.ts.",
          path,
        };
      else if (files.look(text) === 'outside')
        yield {
          message: `${showValue(text)} is outside the manifest's folder.`,
          help: "Move the file into the manifest's folder, and write the path relative to it. Symbolic links must not leave the folder.",
          path,
        };
    }
  },
};
