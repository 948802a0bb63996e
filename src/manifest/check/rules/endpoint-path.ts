import type { ManifestRule } from '../rule-support/rule-context.js';
import { textAt } from '../../../base/value-at-path.js';
import { showPath, showValue } from '../rule-support/list-in-words.js';

export const endpointPath: ManifestRule = {
  code: 'manifest/endpoint-path',
  severity: 'error',
  summary: 'callback_url or completion_url is not a path such as /oauth.',
  *check({ value, mistakes }) {
    for (const { path } of mistakes('manifest/endpoint-path')) {
      const found = textAt(value, ...path) ?? '';
      const bare = !/(^|\/)\.{1,2}(\/|$)/.test(found) && /^[\w.~-]+(?:\/[\w.~-]+)*$/.test(found);
      yield {
        message: found.startsWith('/')
          ? `${showPath(path)} must not contain //, or . or .. between slashes: ${showValue(found)}.`
          : `${showPath(path)} must be a path that begins with /, not ${showValue(found)}.`,
        help: bare ? `Write /${found}.` : "Write only the path. The platform adds the installation's URL.",
        path,
        ...(bare && { fix: { kind: 'replace', text: `/${found}` } as const }),
      };
    }
  },
};
