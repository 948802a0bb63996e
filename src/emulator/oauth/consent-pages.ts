import { createHash } from 'node:crypto';
import type { AuthorizationRequest } from './authorization-request.js';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 28rem; margin: 12vh auto; padding: 0 1.5rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; overflow-wrap: anywhere; }
dt { opacity: 0.7; } dd { margin: 0; }
button { font: inherit; padding: 0.5rem 1.25rem; margin-right: 0.5rem; cursor: pointer; }
`;

/** The person decides. The form goes back to the address with the request in it. */
export function consentPage(request: AuthorizationRequest, query: string, title: string): Response {
  const { clientId, scope, redirectUri } = request;
  return page(
    200,
    'Connect an account',
    `<h1>Connect ${escape(title)}?</h1>
<p>This is the local platform's own provider. It stands in for the real one.</p>
<dl>
<dt>Client</dt><dd>${escape(clientId)}</dd>
<dt>Scopes</dt><dd>${escape(scope) || 'none'}</dd>
<dt>Returns to</dt><dd>${escape(redirectUri)}</dd>
</dl>
<form method="post" action="/oauth/authorize?${escape(query)}">
<button name="decision" value="approve">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>`,
    new URL(redirectUri).origin,
  );
}

export const refusalPage = (message: string): Response =>
  page(400, 'Cannot connect', `<h1>Cannot connect</h1>\n<p>${escape(message)}</p>`);

function page(status: number, title: string, body: string, formTarget = ''): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
<style>${style}</style>
${body}
</html>
`;
  // A browser holds the redirect after the form to `form-action` too.
  const formAction = formTarget ? `'self' ${formTarget}` : "'none'";
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

const styleHash = createHash('sha256').update(style).digest('base64');

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
