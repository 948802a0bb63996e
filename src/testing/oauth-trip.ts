import { htmlText } from '../base/text/html-text.js';
import type { LocalWorld } from './local-world.js';
import type { OAuthOptions, OAuthPage } from './outside/outside-types.js';

/** Follows the redirect to the provider, approves or denies there, and follows the redirect back. */
export async function visitProvider(
  { visit, outside, consoleOrigin }: Pick<LocalWorld, 'visit' | 'outside' | 'consoleOrigin'>,
  start: string,
  { outcome = 'approve', token, status = 200 }: OAuthOptions,
): Promise<OAuthPage> {
  const departure = await visit(new Request(start));
  const location = departure.headers.get('location');
  if (location === null) {
    throw new Error(
      `${start} responded with ${departure.status} instead of a redirect to the provider: ${await departure.text()}`,
    );
  }
  const authorizeUrl = new URL(location);
  const provider = `${consoleOrigin}/oauth/authorize${authorizeUrl.search}`;
  const body = new URLSearchParams({ decision: outcome });
  const decided = await visit(
    new Request(provider, { method: 'POST', body, headers: { Origin: consoleOrigin } }),
  );
  const back = decided.headers.get('location');
  if (back === null) {
    throw new Error(`The built-in provider refused ${location}: ${htmlText(await decided.text())}`);
  }
  if (token || status !== 200) {
    const given = token ?? { error: 'invalid_grant' };
    outside.tokenResponse = () => Response.json(given, { status });
  }
  try {
    const page = await visit(new Request(back));
    return Object.assign(page, { authorizeUrl });
  } finally {
    outside.tokenResponse = undefined;
  }
}
