import type { ManifestRule } from '../rule-context.js';
import { showSecret, variableFor } from './literal-secret.js';

export const secretExpression: ManifestRule = {
  code: 'manifest/secret-expression',
  severity: 'error',
  summary: 'A secret is the expression ${{ env.NAME }} and nothing else.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/secret-expression'))
      yield {
        message: `${showSecret(path)} must be an expression that names one environment variable.`,
        help: `Write \${{ env.${variableFor(path)} }}: no other text around it, letters, digits and _ in the name.`,
        path,
      };
  },
};
