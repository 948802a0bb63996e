import { valueAt } from '../../../base/value-at-path.js';
import { vaultReference } from '../../model/secret-expressions.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { showSecret, variableFor } from './literal-secret.js';

export const secretExpression: ManifestRule = {
  code: 'manifest/secret-expression',
  severity: 'error',
  summary: 'A secret is not an expression such as ${{ env.NAME }}.',
  *check({ mistakes, profile, value }) {
    for (const { path } of mistakes('manifest/secret-expression')) {
      const reference = profile && vaultReference(valueAt(value, path));
      if (reference !== undefined) {
        yield {
          message: `${showSecret(path)} is in a vault: ${reference}. Until its value is set, a made-up value is used.`,
          help: `Set ${variableFor(path)} in the environment or in .env, or start with: platform dev --vault`,
          path,
        };
        continue;
      }
      yield {
        message: `${showSecret(path)} must be an expression with one environment variable.`,
        help: `Write \${{ env.${variableFor(path)} }} without any other text. The name can contain letters, digits and underscores.`,
        path,
      };
    }
  },
};
