import { UserError } from '../../base/user-error.js';
import { manifestFileName } from '../../manifest/index.js';
import { insertValue } from '../../manifest/fix/insert-value.js';
import type { Addition } from './addition.js';
import { alreadyThere, type ExistingProject } from './existing-project.js';

export interface SecretInput {
  name: string;
  /** The value, which is written only to `.env`. */
  value?: string;
}

export function addSecrets(
  project: ExistingProject,
  secrets: readonly SecretInput[],
  manifestText = project.manifest.text,
): Addition {
  for (const { name } of secrets) refuse(project, name);
  const text = secrets.reduce(
    (before, { name }) => insertValue(before, ['secrets', name], `\${{ env.${name} }}`),
    manifestText,
  );
  const withLines = (path: string, values: boolean): [string, string] => {
    const before = project.read(path) ?? '';
    const missing = secrets.filter(
      ({ name }) => !new RegExp(`^(?:export\\s+)?${name}\\s*=`, 'm').test(before),
    );
    const lines = missing.map(({ name, value = '' }) => `${name}=${values ? value : ''}\n`);
    return [path, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${lines.join('')}`];
  };
  return {
    files: new Map([[manifestFileName, text], withLines('.env.example', false), withLines('.env', true)]),
    byHand: secrets.flatMap(({ name, value }) =>
      value === undefined
        ? [
            `Enter the value of ${name} in .env.`,
            `Tests do not read .env. Set a value in them: createTestPlatform({ integration, secrets: { ${name}: 'test' } })`,
          ]
        : [],
    ),
  };
}

function refuse(project: ExistingProject, name: string): void {
  if (!/^[A-Z][A-Z0-9_]*$/i.test(name)) {
    throw new UserError(
      'bad-name',
      `A secret cannot be called "${name}".`,
      'Use the name of an environment variable, such as API_KEY.',
    );
  }
  if (project.manifest.secrets.some((secret) => secret.name === name)) {
    throw alreadyThere(project, { code: 'secret-exists', path: ['secrets', name], what: `a secret ${name}` });
  }
}
