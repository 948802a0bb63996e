import { Hono, type Env } from 'hono';
import { dropBody } from './send-response.js';

/** A router. It handles HEAD as GET and replaces the response by one without a body, so it drops that body. */
export function createRouter<E extends Env>(options: { strict?: boolean } = {}): Hono<E> {
  const router = new Hono<E>(options);
  router.use('*', async (c, next) => {
    await next();
    if (c.req.method === 'HEAD') dropBody(c.res);
  });
  return router;
}
