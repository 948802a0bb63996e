import type { TrafficLog } from '../../../../store/calls/call-log.js';
import { invalid, notFound, unknownCall } from '../../../http/http-error.js';
import type { TrafficRecorder } from '../../../calls/call-recorder.js';
import { defineRoute, type ConsoleRoute } from '../console-route.js';
import { given } from '../request-fields.js';
import { trafficLine } from '../response-views.js';

export function trafficRoutes(deps: { traffic: TrafficLog; recorder: TrafficRecorder }): ConsoleRoute[] {
  const { traffic, recorder } = deps;
  const body = (which: 'request' | 'response'): ConsoleRoute =>
    defineRoute({
      method: 'GET',
      path: `/traffic/{call}/${which}-body`,
      summary: `The body of the ${which}, with secrets hidden`,
      answer: 'Bytes. 404 where there was none, or where it is not kept any more.',
      run({ part }) {
        traffic.flush();
        const bytes = traffic.body(part('call'), which);
        if (!bytes) throw notFound(`There is no ${which} body of ${part('call')}.`);
        // Never the type that the author's code names: this origin is the console's.
        return new Response(Buffer.from(bytes), {
          headers: {
            'Content-Type': 'application/octet-stream',
            'Content-Disposition': 'attachment',
            'X-Content-Type-Options': 'nosniff',
            'Cache-Control': 'no-store',
          },
        });
      },
    });

  return [
    defineRoute({
      method: 'GET',
      path: '/traffic',
      summary: 'Calls of the script, newest last',
      parameters: {
        after: 'only after this position',
        before: 'only before this position',
        type: 'only this type of event',
        failed: 'true: only those that failed',
        search: 'text in the type, the address or the logs',
        limit: 'at most so many',
      },
      answer: 'A list of positions and short entries.',
      run({ query }) {
        traffic.flush();
        const found = traffic.list({
          ...given('after', readNumber(query, 'after')),
          ...given('before', readNumber(query, 'before')),
          ...given('limit', readNumber(query, 'limit')),
          ...given('type', query('type')),
          ...given('search', query('search')),
          ...(query('failed') === 'true' && { failed: true }),
        });
        return found.map(({ position, entry }) => ({ position, ...trafficLine(recorder.current(entry)) }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/traffic/{call}',
      summary: 'One call: its event, environment, answer, logs and outbound calls',
      answer: 'The entry.',
      run({ part }) {
        traffic.flush();
        const entry = traffic.get(part('call'));
        if (!entry) throw unknownCall(part('call'));
        return recorder.current(entry);
      },
    }),
    body('request'),
    body('response'),
  ];
}

function readNumber(query: (name: string) => string | undefined, name: string): number | undefined {
  const value = query(name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw invalid(`${name} has to be a number.`, { path: name });
  return Number(value);
}
