import type { Installation } from '../../protocol/environment.js';
import { parseJson } from '../../base/parse-json.js';
import type { InstallationChange } from '../api/api-resources.js';
import type { RuntimeContext } from '../definition/context.js';
import type { AnyValues } from '../environment/runtime-environment.js';
import type { OAuthResponse, PerInstallation, TokenConfig } from './oauth-config.js';
import { defaultOAuthExtractCredentials } from './oauth-credentials.js';
import { noAccessToken } from './oauth-error.js';

/** Requests a token. If the request succeeds, extracts the credentials from the response. */
export const requestCredentials = async <Answer>(
  config: TokenConfig<Answer>,
  installation: Installation<AnyValues>,
  grant: Record<string, string>,
  clock: RuntimeContext['clock'],
): Promise<InstallationChange> => {
  const { clientId, clientSecret, accessTokenURL, extractCredentials } = config;
  const basic = config.clientAuthentication === 'basic';
  const response = await fetch(urlFor(accessTokenURL, installation), {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      ...(basic && {
        Authorization: `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}`,
      }),
    },
    body: new URLSearchParams({
      ...(!basic && { client_id: clientId, client_secret: clientSecret }),
      ...grant,
    }),
  });
  const text = await response.text();
  // If accessTokenURL is wrong, the response is often an HTML page.
  if (text.trimStart().startsWith('<'))
    throw noAccessToken(undefined, `HTML instead of JSON, with status ${response.status}`);
  // Some providers always respond with a form-encoded body, so numbers arrive as text.
  const answer: AnyValues = {
    ok: response.ok,
    ...(parseJson(text, Object.fromEntries(new URLSearchParams(text))) as object),
  };
  answer.expires_in &&= Number(answer.expires_in);
  // Some providers respond with status 200 even when they reject the code.
  const { ok, error, access_token } = answer;
  const isRejected = !response.ok || !ok || (error && !access_token);
  const extract = async (): Promise<InstallationChange> =>
    extractCredentials?.(answer as Answer) ?? defaultOAuthExtractCredentials(answer as OAuthResponse, clock);
  // An error from `extractCredentials` would hide the fact that the user must reconnect.
  const credentials =
    isRejected && (grant['refresh_token'] || !extractCredentials) ? undefined : await extract();
  if (credentials && !isRejected) return credentials;
  throw noAccessToken(error, `status ${response.status}`);
};

/** Adds the author's frames to an error that is thrown after they have left the stack. */
export const withCallers = <Result>(work: Promise<Result>, { stack = '' }: Error): Promise<Result> =>
  work.catch((error: unknown) => {
    if (error instanceof Error) error.stack += stack.replace(/^.*\n.*/, '');
    throw error;
  });

export const urlFor = (url: PerInstallation, installation: Installation<AnyValues>): string =>
  typeof url === 'function' ? url(installation) : url;
