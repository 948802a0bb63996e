export { createMask } from '../protocol/mask.js';
import type { Environment } from '../protocol/environment.js';

/** Every value of an environment that must not be shown. */
export function secretsOf(environment: Environment): string[] {
  const { apiTokens, secrets, signingSecrets, installation, siteInstallation, spaceInstallation } =
    environment;
  const credentials = [installation, siteInstallation, spaceInstallation].map(
    (place) => place?.configuration['oauth_credentials'],
  );
  return [apiTokens, secrets, signingSecrets, ...credentials].flatMap(leaves);
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
