import { createContext, type RuntimeContext, type RuntimeEnvironment } from '../../src/runtime/index.js';
import { environment } from './environment.js';
import { serve } from './serve.js';

interface Stored {
  configuration: Record<string, unknown>;
  externalIds?: string[];
}

/** A provider and a management API that record their requests, and a clock. */
export async function createOAuthWorld() {
  const stored: Record<string, Stored> = {};
  const tokenRequests: { form: Record<string, string>; headers: Record<string, string> }[] = [];
  const writes: { path: string; change: Stored; authorization: string | null }[] = [];
  const world = {
    now: 1_700_000_000_000,
    /** The response of the token endpoint. */
    token: (_form: Record<string, string>): Response | Promise<Response> =>
      Response.json({ access_token: 'at-1' }),
    stored,
    tokenRequests,
    writes,
  };

  const server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/token') {
      const form = Object.fromEntries(new URLSearchParams(await request.text()));
      tokenRequests.push({ form, headers: Object.fromEntries(request.headers) });
      return world.token(form);
    }
    const path = pathname.replace('/api/v1/integrations/demo/', '');
    if (request.method === 'PATCH') {
      const change = (await request.json()) as Stored;
      writes.push({ path, change, authorization: request.headers.get('authorization') });
      stored[path] = { ...stored[path], ...change };
    }
    const resource = stored[path] ?? { configuration: {} };
    return Response.json({ id: path.split('/').at(-1), ...resource });
  });

  const contextOf = (overrides: Partial<RuntimeEnvironment> = {}): RuntimeContext =>
    createContext(environment({ apiEndpoint: `${server.url}/api`, ...overrides }), () => {}, {
      now: () => world.now,
    });
  return { ...server, world, contextOf };
}

export type OAuthWorld = Awaited<ReturnType<typeof createOAuthWorld>>;
