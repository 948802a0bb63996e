type Fetch = (request: Request) => Promise<Response>;

/** Follows the redirect to the provider, decides there, and follows the one back. */
export async function visitProvider(
  fetch: Fetch,
  start: string,
  outcome: 'approve' | 'deny',
): Promise<Response> {
  const departure = await fetch(new Request(start));
  const provider = departure.headers.get('location');
  if (provider === null) {
    throw new Error(
      `${start} answered ${departure.status}, where it should redirect to the provider: ${await departure.text()}`,
    );
  }
  const decision = new URLSearchParams({ decision: outcome });
  const decided = await fetch(
    new Request(provider, { method: 'POST', body: decision, headers: { Origin: new URL(provider).origin } }),
  );
  const back = decided.headers.get('location');
  if (back === null) {
    throw new Error(`The provider refused the request: ${await decided.text()}`);
  }
  return fetch(new Request(back));
}
