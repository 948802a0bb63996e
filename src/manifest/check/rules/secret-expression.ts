import type { ManifestRule } from '../rule-support/rule-context.js';
import { showSecret, variableFor } from './literal-secret.js';

export const secretExpression: ManifestRule = {
  code: 'manifest/secret-expression',
  severity: 'error',
  summary: 'A secret is not an expression such as ${{ env.NAME }}.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/secret-expression'))
      yield {
        message: `${showSecret(path)} must be an expression with one environment variable.`,
        help: `Write \${{ env.${variableFor(path)} }} without any other text. The name can contain letters, digits and underscores.`,
        path,
      };
  },
};
