import { ExposableError } from './exposable-error.js';
import type { InstallationChange } from './api-client.js';
import type { OAuthConfig } from './oauth-config.js';

interface TokenAnswer {
  ok: boolean;
  error?: unknown;
  error_description?: unknown;
  access_token?: unknown;
}

/** Asks a token endpoint, and extracts the credentials of an answer that is a success. */
export async function requestCredentials<Answer>(
  url: string,
  parameters: Record<string, string>,
  extract: NonNullable<OAuthConfig<Answer>['extractCredentials']>,
): Promise<InstallationChange> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  });
  const fields = parseAnswer(await response.text());
  const answer = { ...fields, ok: typeof fields.ok === 'boolean' ? fields.ok : response.ok } as TokenAnswer;
  const credentials = await extract(answer as Answer);

  // Some providers answer 200 to a code that they refuse.
  const refused = typeof answer.error === 'string' && !answer.access_token;
  if (!response.ok || !answer.ok || refused) {
    const reason = [answer.error, answer.error_description].filter((text) => typeof text === 'string');
    const detail = reason.join(': ') || `status ${response.status}`;
    throw new ExposableError(`The provider gave no token (${detail}).`);
  }
  return credentials;
}

/** JSON, or the form encoding that some providers answer with whatever is asked for. */
function parseAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}
