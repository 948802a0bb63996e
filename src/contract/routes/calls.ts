import { Type } from 'typebox';
import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import { bytes, count, defineRoutes, name, oneOf, text, typed, type Static } from '../route.js';
import { FailureResource, Headers, MarkupProblemSchema, PlatformEventSchema } from '../resources.js';

const TrafficOutcome = oneOf('running', 'ok', 'failed', 'no-handler', 'withheld');
export type TrafficOutcome = Static<typeof TrafficOutcome>;

const level = oneOf('debug', 'info', 'warn', 'error');
export const LogLineResource = Type.Object({ level, text, time: Type.Number() });

export const OutboundRequest = Type.Object({
  method: text,
  url: text,
  status: Type.Integer({ description: '0 if no response came.' }),
  error: Type.Optional(text),
  durationMs: Type.Number(),
  requestBytes: count,
  responseBytes: count,
  time: Type.Number(),
});

/** What the list and the detail of a call have in common. */
const callFields = {
  id: text,
  source: oneOf('request', 'event', 'script'),
  time: Type.Number(),
  version: Type.Integer({ description: 'The version of the integration that responded.' }),
  outcome: TrafficOutcome,
  error: Type.Optional(text),
  failure: Type.Optional(FailureResource),
  durationMs: Type.Optional(Type.Number()),
  requestBytes: count,
  responseBytes: count,
};

export const TrafficLine = Type.Object({
  ...callFields,
  position: Type.Optional(Type.Integer({ description: 'In the log. The live stream does not send it.' })),
  type: typed<EventType | 'envelope' | 'script'>(text),
  eventId: Type.Optional(text),
  installation: Type.Optional(text),
  site: Type.Optional(text),
  space: Type.Optional(text),
  subject: Type.Optional(Type.String({ description: 'What it is about: a status, an address, a task.' })),
  component: Type.Optional(text),
  action: Type.Optional(text),
  method: Type.Optional(text),
  url: Type.Optional(text),
  status: Type.Optional(Type.Integer()),
  logs: Type.Integer({ description: 'How many lines it logged.' }),
  outbound: Type.Integer({ description: 'How many requests it made.' }),
  lines: Type.Optional(
    Type.Array(Type.Object({ level, text }), { description: 'What the script logged outside of any call.' }),
  ),
});
/** A call of the author's script as lists show it. */
export type TrafficLine = Static<typeof TrafficLine>;

const TrafficEntry = Type.Object({
  ...callFields,
  event: Type.Optional(typed<PlatformEvent | undefined>(PlatformEventSchema)),
  environment: Type.Optional(
    typed<Environment | undefined>(Type.Object({ integration: Type.Object({ name: text }) })),
  ),
  request: Type.Optional(Type.Object({ method: text, url: text, headers: Headers })),
  response: Type.Optional(Type.Object({ status: Type.Integer(), headers: Headers })),
  logs: Type.Array(LogLineResource),
  outbound: Type.Array(OutboundRequest),
  warnings: Type.Optional(
    Type.Array(MarkupProblemSchema, {
      description: 'Unknown elements and properties in the markup that was rendered.',
    }),
  ),
});
/** Everything that is known about a call. */
export type TrafficEntry = Static<typeof TrafficEntry>;

const position = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });
const one = Type.Object({ call: name });

export const callRoutes = defineRoutes({
  'GET /traffic': {
    summary: 'List the calls of the script, newest last',
    input: Type.Object({
      after: Type.Optional({ ...position, description: 'Only after this position.' }),
      before: Type.Optional({ ...position, description: 'Only before this position.' }),
      type: Type.Optional(Type.String({ description: 'Only this type of event.' })),
      failed: Type.Optional(Type.Boolean({ description: 'true: only those that failed.' })),
      search: Type.Optional(Type.String({ description: 'Text in the type, the address or the logs.' })),
      limit: Type.Optional({ ...position, description: 'Maximum number of calls.' }),
    }),
    output: Type.Array(TrafficLine),
    errors: [],
  },
  'GET /traffic/{call}': {
    summary: 'One call: its event, environment, response, logs and outbound requests',
    input: one,
    output: TrafficEntry,
    errors: ['unknown_call'],
  },
  'GET /traffic/{call}/request-body': {
    summary: 'The body of the request, with secrets hidden',
    input: one,
    output: bytes,
    errors: ['not_found'],
  },
  'GET /traffic/{call}/response-body': {
    summary: 'The body of the response, with secrets hidden',
    input: one,
    output: bytes,
    errors: ['not_found'],
  },
});
