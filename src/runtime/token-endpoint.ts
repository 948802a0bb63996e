import type { Installation } from '../protocol/environment.js';
import type { InstallationChange } from './api-client.js';
import type { RuntimeContext } from './context.js';
import type { AnyValues } from './environment.js';
import { ExposableError } from './exposable-error.js';
import type { OAuthResponse, TokenConfig } from './oauth-config.js';
import { defaultOAuthExtractCredentials } from './oauth-credentials.js';

/** Asks the token endpoint, and extracts the credentials of an answer that is a success. */
export async function requestCredentials<Answer>(
  config: TokenConfig<Answer>,
  readInstallation: () => Promise<Installation<AnyValues>>,
  grant: Record<string, string>,
  { environment, clock }: RuntimeContext,
): Promise<InstallationChange> {
  const { accessTokenURL, clientId, clientSecret } = config;
  const url =
    typeof accessTokenURL === 'function'
      ? accessTokenURL(environment.installation ?? (await readInstallation()))
      : accessTokenURL;
  const response = await fetch(url, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...grant }).toString(),
  });
  const answer = { ok: response.ok, ...fieldsOf(await response.text()) } as unknown as OAuthResponse;
  const credentials = await (config.extractCredentials?.(answer as Answer) ??
    defaultOAuthExtractCredentials(answer, clock));

  // Some providers answer 200 to a code that they refuse.
  const { ok, error, access_token } = answer;
  if (response.ok && ok && (access_token || !error)) return credentials;
  const why = typeof error === 'string' ? error : `status ${response.status}`;
  throw new ExposableError(`The provider gave no token: ${why}`);
}

/** JSON, or the form encoding that some providers answer with whatever is asked for. */
function fieldsOf(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    const { expires_in, ...fields } = Object.fromEntries(new URLSearchParams(text));
    return { ...fields, ...(expires_in !== undefined && { expires_in: Number(expires_in) }) };
  }
}
