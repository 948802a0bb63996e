import { Type } from 'typebox';
import {
  count,
  defineRoutes,
  described,
  oneOf,
  optional,
  type Static,
  streamOf,
  text,
  typed,
} from '../basics/route.js';
import { OutboundRequest } from '../basics/outbound.js';
import { LogLineResource, CallLine } from './calls.js';
import { AttemptResource, DeliveryResource } from './webhooks.js';

const ofCall = {
  call: optional(typed<string | undefined>()(text)),
  late: described(Type.Boolean(), 'true unless it belongs to a call that is still running.'),
};

const LiveEvent = Type.Union([
  Type.Object({ type: oneOf('call-started', 'call-finished'), call: CallLine }),
  Type.Object({ type: oneOf('log'), ...ofCall, line: LogLineResource }),
  Type.Object({ type: oneOf('outbound'), ...ofCall, request: OutboundRequest }),
  described(Type.Object({ type: oneOf('call-changed'), call: text }), 'A finished call has new details.'),
  Type.Object({
    type: oneOf('installation'),
    installation: text,
    change: oneOf('installed', 'configured', 'activated', 'paused', 'resumed', 'uninstalled'),
    site: optional(text),
    space: optional(text),
  }),
  Type.Object({ type: oneOf('block'), block: text, change: oneOf('inserted', 'updated', 'removed') }),
  Type.Object({
    type: oneOf('task'),
    task: text,
    change: oneOf('queued', 'finished', 'dropped', 'cancelled'),
  }),
  Type.Object({ type: oneOf('delivery'), delivery: DeliveryResource, attempt: optional(AttemptResource) }),
  Type.Object({ type: oneOf('endpoint'), endpoint: text, change: oneOf('added', 'changed', 'removed') }),
  Type.Object({ type: oneOf('reloaded'), version: count }),
  Type.Object({ type: oneOf('build'), ok: Type.Boolean() }),
  described(
    Type.Object({ type: oneOf('content'), space: text }),
    'The pages or the visibility of a space have changed.',
  ),
  Type.Object({ type: oneOf('clock') }, { description: 'The clock was moved.' }),
  Type.Object({ type: oneOf('state-loaded'), name: text }),
  Type.Object({ type: oneOf('warning'), code: text, message: text, call: optional(text) }),
]);
export type LiveEvent = Static<typeof LiveEvent>;

export const liveRoutes = defineRoutes({
  'GET /stream': {
    summary:
      'Stream every change as it happens. Starts with `hello`, resumes after Last-Event-ID, and sends `reset` if events were missed',
    output: streamOf(LiveEvent),
    errors: ['too-many-streams'],
  },
});
