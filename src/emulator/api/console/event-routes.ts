import { eventTypes } from '../../../protocol/sample-events.js';
import { scopeOfEvent } from '../../../protocol/scopes.js';
import { HttpError } from '../../http/http-error.js';
import type { Replay } from '../../calls/replay.js';
import type { Trigger, TriggerRequest } from '../../calls/fire-event.js';
import { anything, defineRoute, object, placeProperties, text, type ConsoleRoute } from './console-route.js';
import { given, needText, readObject, readPlace } from './request-fields.js';
import { firedView } from './response-views.js';

export function eventRoutes({ trigger, replay }: { trigger: Trigger; replay: Replay }): ConsoleRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/events',
      summary: 'The events that can happen, with a sample of each',
      answer: 'A list of types, samples and the scopes they would need.',
      run: () =>
        eventTypes.map((type) => ({
          type,
          ...given('scope', scopeOfEvent(type)),
          ...given('sample', sampleOf(trigger, type)),
        })),
    }),
    defineRoute({
      method: 'POST',
      path: '/events',
      summary: 'Let an event happen; the script and the webhook endpoints get it',
      body: object({ type: text, ...placeProperties, event: anything, set: anything }, ['type']),
      answer: 'The event, what the script answered, and the ids of webhook deliveries.',
      async run({ body }) {
        const { event, fired, deliveries } = await trigger.fire(readTrigger(await body()));
        if (fired.outcome === 'withheld' && fired.reason === 'missing-scope') {
          const message = `The event needs the scope ${fired.scope}, which the manifest does not ask for.`;
          throw new HttpError(403, 'missing_scope', message, { call: fired.call });
        }
        return { event, fired: firedView(fired), deliveries };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/events/sample',
      summary: 'The event that would happen, checked but not fired',
      body: object({ type: text, ...placeProperties, event: anything, set: anything }, ['type']),
      answer: 'The event.',
      run: async ({ body }) => trigger.compose(readTrigger(await body())),
    }),
    defineRoute({
      method: 'POST',
      path: '/traffic/{call}/replay',
      summary: 'Send a recorded event to the present code',
      answer: 'The recorded answer, the new one, and whether they are the same.',
      run: ({ part }) => replay(part('call')),
    }),
  ];
}

const readTrigger = (body: Record<string, unknown>): TriggerRequest => ({
  type: needText(body, 'type'),
  ...readPlace(body),
  ...given('event', readObject(body, 'event')),
  ...given('set', readObject(body, 'set')),
});

/** There is none where the integration is not installed. */
function sampleOf(trigger: Trigger, type: string): object | undefined {
  try {
    return trigger.compose({ type });
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}
