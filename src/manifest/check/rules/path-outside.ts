import type { ManifestRule } from '../rule-context.js';
import { projectPathsOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

export const pathOutside: ManifestRule = {
  code: 'manifest/path-outside',
  severity: 'error',
  summary: 'script, icon and previewImages stay inside the folder of the manifest.',
  *check({ value, files }) {
    if (!files) return;
    for (const { path, text } of projectPathsOf(value)) {
      if (files.look(text) === 'outside')
        yield {
          message: `${showValue(text)} is outside the folder of the manifest.`,
          help: 'Put the file beside the manifest or below, and write the path relative to it. A symbolic link may not lead out either.',
          path,
        };
    }
  },
};
