import type { Path } from '../../../diagnostics/model/rule.js';
import type { ManifestRule } from '../rule-support/rule-context.js';
import { isSecretName, variableNamed } from '../../model/secret-expressions.js';
import { recordAt } from '../../../base/value-at-path.js';
import { showPath } from '../rule-support/list-in-words.js';

export const literalSecret: ManifestRule = {
  code: 'manifest/literal-secret',
  severity: 'error',
  summary: "The manifest contains a secret's value.",
  *check({ value, mistakes }) {
    const paths = mistakes('manifest/literal-secret').map(({ path }) => path);
    for (const path of [...paths, ...literalsOfEnvironments(value)])
      yield {
        message: `${showSecret(path)} contains the value of a secret, which everyone with access to the repository can read.`,
        help: `Write \${{ env.${variableFor(path)} }}, put the value in .env, and replace it at the service that issued it, because it may have leaked.`,
        path,
      };
  },
};

function literalsOfEnvironments(value: unknown): Path[] {
  return Object.keys(recordAt(value, 'envs')).flatMap((environment) =>
    Object.entries(recordAt(value, 'envs', environment, 'secrets')).flatMap(([name, secret]) =>
      secret === null || (typeof secret === 'string' && secret.includes('${{'))
        ? []
        : [['envs', environment, 'secrets', name]],
    ),
  );
}

/** Formats the name of a secret. Anything that does not look like a name may be the secret itself, so it is not shown. */
export const showSecret = (path: Path): string =>
  isSecretName(String(path.at(-1))) ? showPath(path) : `An entry of ${showPath(path.slice(0, -1))}`;

export const variableFor = (path: Path): string => variableNamed(String(path.at(-1)));
