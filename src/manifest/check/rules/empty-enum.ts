import type { ManifestRule } from '../rule-context.js';

export const emptyEnum: ManifestRule = {
  code: 'manifest/empty-enum',
  severity: 'error',
  summary: 'An enum has at least one choice.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/empty-enum'))
      yield {
        message: 'The list of choices is empty: nothing could be chosen.',
        help: 'Add the choices, or remove enum.',
        path,
      };
  },
};
