import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { listAt, valueAt } from '../../../base/value-at-path.js';
import { sectionsOf } from '../rule-support/configuration-properties.js';

export const extensionField: ManifestRule = {
  code: 'manifest/extension-field',
  severity: 'info',
  summary: 'A field is not documented by the platform.',
  *check({ value, profile }) {
    // What another platform documents is not known here.
    if (profile) return;
    for (const path of extensionsOf(value)) {
      const name = path.filter((part) => typeof part === 'string').join('.');
      yield {
        message: `${name} is not a field that the platform documents.`,
        help: 'The local platform supports it, but the real platform may treat it differently.',
        path,
        at: 'key',
      };
    }
  },
};

/** Reports each extension only once, at its first use. */
function extensionsOf(value: unknown): Path[] {
  const candidates: Path[][] = [
    ...['target', 'contentSecurityPolicy', 'envs', 'contentSources'].map((field) => [[field]]),
    [['configurations', 'space']],
    sectionsOf(value).map(({ path }) => [...path, 'componentId']),
    ...['icon', 'urlUnfurl', 'markdown'].map((field) =>
      [...listAt(value, 'blocks').keys()].map((index) => ['blocks', index, field]),
    ),
  ];
  return candidates.flatMap((paths) => {
    const first = paths.find((path) => valueAt(value, path) !== undefined);
    return first ? [first] : [];
  });
}
