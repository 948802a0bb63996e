const send = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

const release = (version: string): object => ({ version, space: 'space_local' });

/** What happens in the pictures: two releases arrive, and the second one fails. */
export async function visit(
  endpoint: string,
  fire: (event: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  await fetch(`${endpoint}/health`);
  await fire({ type: 'space_content_updated' });
  await send(`${endpoint}/releases`, release('2.4.0'));
  await send(`${endpoint}/releases`, release('2.5.0'));
}
