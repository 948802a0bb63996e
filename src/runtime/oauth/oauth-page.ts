/** Says how the connection went to the user, who came here in a window of its own. */
export const oauthPage = (problem = ''): Response => {
  const title = problem ? 'Not connected' : 'Connected';
  const text = problem.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const status = problem ? 400 : 200;
  return new Response(
    `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>` +
      `<p>${text || 'You can close this window now.<script>close()</script>'}</p>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
  );
};
