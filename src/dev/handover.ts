import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { Timers } from '../base/clock.js';
import { listen } from '../emulator/index.js';

/** What a session leaves behind, so that its console tabs can find the next session of the same folder. */
export interface LastSession {
  consoleOrigin: string;
  /**
   * The secret in the ids of its live stream. Only its tabs received it, and they never send it. A program that takes over the
   * address later therefore does not know it.
   */
  streamSecret: string;
}

export function readLastSession(text: string | undefined): LastSession | undefined {
  const [consoleOrigin = '', streamSecret] = text?.split('\n') ?? [];
  return streamSecret && URL.canParse(consoleOrigin) ? { consoleOrigin, streamSecret } : undefined;
}

export const formatLastSession = ({ consoleOrigin, streamSecret }: LastSession): string =>
  [consoleOrigin, streamSecret].join('\n');

/**
 * Encrypts the new link for the tabs of the last session. Only a program that knows the secret can create the result, and only
 * for the address at which it was asked. So no other program can create one, or pass one on from another address.
 */
function sealLink({ consoleOrigin, streamSecret }: LastSession, nonce: string, link: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(streamSecret).digest(), iv);
  cipher.setAAD(Buffer.from(`${consoleOrigin} ${nonce}`));
  const sealed = [cipher.update(link, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([iv, ...sealed]).toString('base64');
}

export type Handover = Awaited<ReturnType<typeof openHandover>>;

/** Responds to the tabs of the last session at its address: the console's own, or one that is opened again for this. */
export async function openHandover(
  last: LastSession | undefined,
  { consoleOrigin, link, timers }: { consoleOrigin: string; link: string; timers: Timers },
) {
  const respond = (request: Request): Response | undefined => {
    const { pathname, searchParams } = new URL(request.url);
    const nonce = searchParams.get('nonce') ?? '';
    if (!last || pathname !== '/console/api/handover') return undefined;
    if (!/^[0-9a-f]{32}$/.test(nonce)) return new Response(null, { status: 400 });
    return new Response(sealLink(last, nonce, link), { headers: { 'Cache-Control': 'no-store' } });
  };
  // The request's own Host header proves nothing: a program at the old address could pass requests on with it.
  if (!last || last.consoleOrigin === consoleOrigin) return { respond, close: async () => {} };
  const { hostname, port } = new URL(last.consoleOrigin);
  const listener = await listen({ port: Number(port), address: hostname, timers }).catch(() => undefined);
  listener?.serve((request) => respond(request) ?? new Response(null, { status: 404 }));
  return { respond: () => undefined, close: async () => listener?.close() };
}
