import type { ManifestRule } from '../rule-support/rule-context.js';

export const emptyEnum: ManifestRule = {
  code: 'manifest/empty-enum',
  severity: 'error',
  summary: 'An enum has no choices.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/empty-enum'))
      yield {
        message: 'The list of choices is empty, so no value can be chosen.',
        help: 'Add the choices, or remove enum.',
        path,
      };
  },
};
