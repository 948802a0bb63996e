import type { Installation } from '../../protocol/environment.js';
import { parseJson } from '../../base/parse-json.js';
import type { InstallationChange } from '../api/api-resources.js';
import type { RuntimeContext } from '../definition/context.js';
import type { AnyValues } from '../environment/runtime-environment.js';
import { ExposableError } from '../../protocol/exposable-error.js';
import type { OAuthResponse, PerInstallation, TokenConfig } from './oauth-config.js';
import { defaultOAuthExtractCredentials } from './oauth-credentials.js';

/** Requests a token, and extracts the credentials from a successful response. */
export const requestCredentials = async <Answer>(
  config: TokenConfig<Answer>,
  installation: Installation<AnyValues>,
  grant: Record<string, string>,
  clock: RuntimeContext['clock'],
): Promise<InstallationChange> => {
  const response = await fetch(urlFor(config.accessTokenURL, installation), {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({
      client_id: config.clientId,
      client_secret: config.clientSecret,
      ...grant,
    }),
  });
  const text = await response.text();
  // Some providers always respond form-encoded, so numbers arrive as text.
  const answer: AnyValues = {
    ok: response.ok,
    ...(parseJson(text, Object.fromEntries(new URLSearchParams(text))) as object),
  };
  answer.expires_in &&= Number(answer.expires_in);
  const credentials = await (config.extractCredentials?.(answer as Answer) ??
    defaultOAuthExtractCredentials(answer as OAuthResponse, clock));

  // Some providers respond 200 even when they reject the code.
  const { ok, error, access_token } = answer;
  if (response.ok && ok && (access_token || !error)) return credentials;
  const why = typeof error === 'string' ? error : `status ${response.status}`;
  throw new ExposableError(`The provider returned no token: ${why}`);
};

export const urlFor = (url: PerInstallation, installation: Installation<AnyValues>): string =>
  typeof url === 'function' ? url(installation) : url;
