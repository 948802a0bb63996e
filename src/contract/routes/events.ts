import { Type } from 'typebox';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import { count, defineRoutes, described, name, optional, type Static, text, typed } from '../basics/route.js';
import {
  BodyResource,
  FailureResource,
  FiredResource,
  Headers,
  PlatformEventSchema,
  targetFields,
} from '../basics/resources.js';

const EventTypeResource = Type.Object({
  type: typed<EventType>()(text),
  scope: optional(text, 'The scope that the manifest must request.'),
  sample: optional(
    typed<PlatformEvent>()(Type.Object({ type: name })),
    'Absent while the integration is not installed.',
  ),
  handled: optional(Type.Boolean(), 'Whether the script has a handler for this type. Absent if unknown.'),
});
export type EventTypeResource = Static<typeof EventTypeResource>;

const EventRequest = Type.Object({
  type: name,
  ...targetFields,
  event: optional(Type.Record(Type.String(), Type.Unknown()), 'Fields that replace those in the sample.'),
  set: optional(Type.Record(Type.String(), Type.Unknown()), 'Values to set by path, such as visitor.ip.'),
});

const FiredEventResource = Type.Object({
  event: PlatformEventSchema,
  fired: FiredResource,
  deliveries: described(Type.Array(text), 'Ids of the webhook deliveries that the event caused.'),
});
export type FiredEventResource = Static<typeof FiredEventResource>;

export const AnswerResource = Type.Object({
  version: count,
  status: count,
  headers: Headers,
  body: BodyResource,
});
export type AnswerResource = Static<typeof AnswerResource>;

export const ReplayResource = Type.Object({
  call: described(text, 'The id of the new call.'),
  before: AnswerResource,
  after: AnswerResource,
  failure: optional(FailureResource),
  same: Type.Boolean(),
  masked: described(
    Type.Boolean(),
    'Secrets in the recorded request were masked, so the masked values were sent.',
  ),
});
export type ReplayResource = Static<typeof ReplayResource>;

export const eventRoutes = defineRoutes({
  'GET /events': {
    summary: 'List the event types with a sample of each',
    output: Type.Array(EventTypeResource),
  },
  'POST /events': {
    summary: 'Send an event to the script and to the webhook endpoints',
    input: EventRequest,
    output: FiredEventResource,
    errors: ['not-found', 'not-installed', 'paused', 'missing-scope', 'closed', 'in-use', 'right-lost'],
  },
  'POST /events/sample': {
    summary: 'Compose and check an event without sending it',
    input: EventRequest,
    output: PlatformEventSchema,
    errors: ['not-found', 'not-installed'],
  },
  'POST /calls/{call}/stop': {
    summary: "Stop a running call, and also the script's process if the call blocks it",
    input: Type.Object({ call: name }),
    errors: ['unknown-call', 'not-running'],
  },
  'POST /calls/{call}/replay': {
    summary: 'Run a recorded call again with the current code, and compare the responses',
    input: Type.Object({ call: name }),
    output: ReplayResource,
    errors: ['unknown-call', 'not-replayable', 'not-installed', 'paused', 'body-gone', 'cut-short'],
  },
});
