import type { Io } from '../../context/io.js';
import { UserError } from '../../../base/user-error.js';
import { safeFolder } from '../../../base/node/safe-git.js';
import { loadManifest } from '../../../manifest/index.js';

/**
 * Asks the vault's own command for the secrets that the manifest keeps there. Returns them as environment variables. The command
 * may ask the user for a password, so it runs only on request.
 */
export async function readVault(
  file: string,
  { env }: Pick<Io, 'env'>,
  environment: string | undefined,
): Promise<Record<string, string>> {
  const loaded = loadManifest({ file, env, ...(environment !== undefined && { environment }) });
  const kept = loaded.ok
    ? loaded.value.secrets.filter(({ vault, isSet }) => vault !== undefined && !isSet)
    : [];
  const { execa } = await import('execa');
  const found: Record<string, string> = {};
  for (const { name, variable, vault = '' } of kept) {
    const known = loaded.ok ? loaded.value.profile?.vault : undefined;
    if (!known || !vault.startsWith(`${known.scheme}://`))
      throw new UserError(
        'unknown-vault',
        `The secret ${name} is at ${vault}, and no command is known that reads it.`,
        `Set ${variable} in the environment or in .env, and omit --vault.`,
      );
    const [command = '', ...argv] = known.command;
    const result = await execa(command, [...argv, vault], {
      cwd: safeFolder(),
      stdin: 'inherit',
      stderr: 'inherit',
      reject: false,
    });
    if (result.failed)
      throw new UserError(
        'vault-failed',
        result.exitCode === undefined
          ? `The secret ${name} is at ${vault}, but the command ${command} was not found.`
          : `${command} could not read ${vault}, which is the secret ${name} (exit code ${result.exitCode}).`,
        `Install ${command} and sign in, or set ${variable} in the environment or in .env, and omit --vault.`,
      );
    found[variable] = result.stdout;
  }
  return found;
}
