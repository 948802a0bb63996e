/** Sends the reader's actions with the session's key. */
export interface Client {
  post(path: string, body: object, signal?: AbortSignal): Promise<Response>;
}

/** The link that `platform open site` prints contains the key. Without the key, pages are read-only. */
export function createClient(): Client | undefined {
  const given = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem('key', given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  const key = given ?? sessionStorage.getItem('key');
  if (key === null) return undefined;
  return {
    async post(path, body, signal) {
      const response = await fetch(`/~/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Platform-Token': key },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      });
      if (response.ok) return response;
      const { error } = (await response.json().catch(() => ({}))) as { error?: string };
      throw new Error(error ?? `The platform responded with ${response.status}.`);
    },
  };
}
