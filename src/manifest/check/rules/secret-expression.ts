import { valueAt } from '../../../base/value-at-path.js';
import { vaultReference } from '../../model/secret-expressions.js';
import type { Path } from '../../../diagnostics/model/rule.js';
import { enumeration } from '../rule-support/list-in-words.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { showSecret, variableFor } from './literal-secret.js';

export const secretExpression: ManifestRule = {
  code: 'manifest/secret-expression',
  severity: 'error',
  summary: 'A secret is not an expression such as ${{ env.NAME }}.',
  *check({ mistakes, profile, value }) {
    const inVault: Path[] = [];
    for (const { path } of mistakes('manifest/secret-expression')) {
      if (profile && vaultReference(valueAt(value, path)) !== undefined) {
        inVault.push(path);
        continue;
      }
      yield {
        message: `${showSecret(path)} must be an expression with one environment variable.`,
        help: `Write \${{ env.${variableFor(path)} }} without any other text. The name can contain letters, digits and underscores.`,
        path,
      };
    }
    const [first] = inVault;
    if (first)
      yield {
        message: `Secrets in a vault get made-up values until they are set: ${enumeration(inVault.map(showSecret))}.`,
        help: `Set ${enumeration([...new Set(inVault.map(variableFor))])} in the environment or in .env, or start with: platform dev --vault`,
        path: first,
      };
  },
};
