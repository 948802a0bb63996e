/** A page for the window in which the user came back from the provider. It closes itself on success. */
export const oauthPage = (connected: boolean, text: string): Response => {
  const title = connected ? 'Connected' : 'Not connected';
  const escaped = text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return new Response(
    `<!doctype html><html lang="en"><title>${title}</title>` +
      `<h1>${title}</h1><p>${escaped}</p>${connected ? '<script>close()</script>' : ''}`,
    {
      status: connected ? 200 : 400,
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    },
  );
};
