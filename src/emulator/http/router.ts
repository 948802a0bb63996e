import { Hono, type Env } from 'hono';
import { dropBody } from './send-response.js';

/**
 * Creates a router. It handles a HEAD request like a GET request and then replaces the response with one that has no body,
 * so the original body must be dropped.
 */
export function createRouter<E extends Env>(options: { strict?: boolean } = {}): Hono<E> {
  const router = new Hono<E>(options);
  router.use('*', async (c, next) => {
    await next();
    if (c.req.method === 'HEAD') dropBody(c.res);
  });
  return router;
}
