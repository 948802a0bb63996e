import { randomUUID } from 'node:crypto';
import type { OAuthOutcome } from '../../protocol/oauth/oauth-outcomes.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** Outcomes other than Allow and Deny, for testing how the script handles them. */
const otherOutcomes: [OAuthOutcome, title: string, description: string][] = [
  ['expired-code', 'Allow, with an expired code', 'The token endpoint rejects the code.'],
  ['no-refresh-token', 'Allow, without a refresh token', 'The access token cannot be refreshed.'],
];

/** Returns the page where the user allows or denies access. Its form submits to the page's own URL, including the query. */
export function consentPage(
  { clientId, scope, redirectUri }: AuthorizationRequest,
  { query, title, ...look }: { query: string; title: string; theme: unknown; origin: string },
): Response {
  const scopes = scope.split(' ').filter(Boolean);
  const facts: [string, string][] = [
    ['Client', `<code>${escape(clientId)}</code>`],
    ['Scopes', scopes.map((one) => `<code>${escape(one)}</code>`).join(' ') || 'none'],
    ['Returns to', `<code>${escape(redirectUri)}</code>`],
  ];
  return page(
    { status: 200, title: 'Connect an account', formTarget: new URL(redirectUri).origin, ...look },
    `<h1>Connect ${escape(title)}?</h1>
<p class="quiet">This is the built-in OAuth provider. It replaces the real one.</p>
<dl class="fact-lines">
${facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n')}
</dl>
<form method="post" action="/oauth/authorize?${escape(query)}">
<div class="consent-decision">
<button class="button" name="decision" value="deny">Deny</button>
<button class="button primary" name="decision" value="approve">Allow</button>
</div>
<h2>Try what can go wrong</h2>
${otherOutcomes
  .map(
    ([value, name, description]) =>
      `<div class="consent-choice"><button class="button" name="decision" value="${value}">${name}</button> <span class="quiet small">${description}</span></div>`,
  )
  .join('\n')}
</form>`,
  );
}

export const refusalPage = (message: string, look: { theme: unknown; origin: string }): Response =>
  page(
    { status: 400, title: 'Cannot connect', ...look },
    `<h1>Cannot connect</h1>\n<p role="alert">${escape(message)}</p>`,
  );

interface PageHead {
  status: number;
  title: string;
  /** The theme selected in the console. */
  theme: unknown;
  /** The origin of the console, which serves the page's style sheet. */
  origin: string;
  formTarget?: string;
}

function page({ status, title, theme, origin, formTarget }: PageHead, body: string): Response {
  const forced = theme === 'light' || theme === 'dark' ? ` data-theme="${theme}"` : '';
  const html = `<!doctype html>
<html lang="en"${forced}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/app.css?${randomUUID()}">
</head>
<body>
<main class="consent">
${body}
</main>
</body>
</html>
`;
  // Includes the redirect URI, because browsers also apply `form-action` to the redirect after a form is submitted.
  const formAction = formTarget === undefined ? "'none'" : `'self' ${formTarget}`;
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src ${origin}/console/app.css; img-src data:; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
