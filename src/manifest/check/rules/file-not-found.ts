import type { ManifestRule } from '../rule-support/rule-context.js';
import { projectPathsOf } from '../rule-support/declared-paths.js';
import { showValue } from '../rule-support/list-in-words.js';

export const fileNotFound: ManifestRule = {
  code: 'manifest/file-not-found',
  severity: 'error',
  summary: 'script, icon or previewImages refers to a file that does not exist.',
  *check({ value, files }) {
    if (!files) return;
    for (const { path, text } of projectPathsOf(value)) {
      const found = files.look(text);
      const otherCase = found === 'file' ? files.otherCase(text) : undefined;
      if (otherCase !== undefined)
        yield {
          message: `File not found on Linux: ${showValue(text)}.`,
          help: `The name on disk is ${showValue(otherCase)}. Upper and lower case must be the same.`,
          path,
        };
      if (found === 'missing')
        yield {
          message: `File not found: ${showValue(text)}.`,
          help: 'The path is relative to the manifest.',
          path,
        };
      if (found === 'not-a-file')
        yield { message: `${showValue(text)} is not a file.`, help: 'Specify the path to a file.', path };
      if (found === 'unreadable')
        yield { message: `${showValue(text)} cannot be read.`, help: 'Check its permissions.', path };
    }
  },
};
