import { enumeration } from '../rule-support/list-in-words.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { declaredVariables } from '../../model/secret-expressions.js';

export const unsetSecret: ManifestRule = {
  code: 'manifest/unset-secret',
  severity: 'warning',
  summary: "A secret's environment variable is not set.",
  *check({ value, variables }) {
    if (!variables) return;
    const unset = declaredVariables(value).filter(
      ({ variable, vault }) => vault === undefined && !variables(variable),
    );
    const [first] = unset;
    if (!first) return;
    const names = [...new Set(unset.map(({ variable }) => variable))];
    yield unset.length === 1
      ? {
          message: `The environment variable ${first.variable} is not set, so the script has no secret ${first.name}.`,
          help: `Set it, or add the line ${first.variable}=… to .env in the manifest's folder.`,
          path: ['secrets', first.name],
        }
      : {
          message: `The environment variables of ${unset.length} secrets are not set: ${enumeration(names)}.`,
          help: `Set them, or add lines such as ${first.variable}=… to .env in the manifest's folder.`,
          path: ['secrets'],
          at: 'key',
        };
  },
};
