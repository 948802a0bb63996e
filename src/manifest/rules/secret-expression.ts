import type { ManifestRule } from '../rule-context.js';
import { variableFor } from './literal-secret.js';
import { showPath } from './words.js';

export const secretExpression: ManifestRule = {
  code: 'manifest/secret-expression',
  severity: 'error',
  summary: 'A secret is the expression ${{ env.NAME }} and nothing else.',
  *check({ mistakes }) {
    for (const { path } of mistakes('manifest/secret-expression'))
      yield {
        message: `${showPath(path)} is not an expression that names one environment variable.`,
        help: `Write \${{ env.${variableFor(String(path.at(-1)))} }}: no other text around it, letters, digits and _ in the name.`,
        path,
      };
  },
};
