/** A page for the window in which the user came back from the provider. */
export const oauthPage = (status: number, title: string, text: string, script = ''): Response =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
      `<h1>${title}</h1><p>${escape(text)}</p>${script && `<script>${script}</script>`}</html>`,
    { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' } },
  );

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
