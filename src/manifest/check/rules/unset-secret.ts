import type { ManifestRule } from '../rule-support/rule-context.js';
import { declaredVariables } from '../../model/secret-expressions.js';

export const unsetSecret: ManifestRule = {
  code: 'manifest/unset-secret',
  severity: 'warning',
  summary: "A secret's environment variable is not set.",
  *check({ value, variables }) {
    if (!variables) return;
    for (const { name, variable, vault } of declaredVariables(value)) {
      if (vault !== undefined || variables(variable)) continue;
      yield {
        message: `The environment variable ${variable} is not set, so the script has no secret ${name}.`,
        help: `Set it, or add the line ${variable}=… to .env in the manifest's folder.`,
        path: ['secrets', name],
      };
    }
  },
};
