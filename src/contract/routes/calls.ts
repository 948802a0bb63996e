import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type { CallCause, CallEffect } from '../../protocol/log-and-outbound-types.js';
import { limitNames, type LimitName } from '../../protocol/call-limits.js';
import { filterList, type CallFilter, type FilterName } from '../basics/call-filters.js';
import { bytes, count, defineRoutes, name, oneOf, text, typed, type Static } from '../basics/route.js';
import {
  BodyResource,
  FailureResource,
  Headers,
  MarkupProblemSchema,
  missingScope,
  PlatformEventSchema,
  SourceFrameResource,
} from '../basics/resources.js';

export const CallOutcome = oneOf('running', 'ok', 'failed', 'no-handler', 'withheld');
export type CallOutcome = Static<typeof CallOutcome>;

const level = oneOf('debug', 'info', 'warn', 'error');
export const LogLineResource = Type.Object({
  level,
  text,
  time: Type.Number(),
  frame: Type.Optional(SourceFrameResource),
});

export const OutboundRequest = Type.Object({
  number: Type.Optional({
    ...count,
    description: 'In the order in which the call started its requests, from 0. They are listed in it.',
  }),
  method: text,
  url: text,
  status: Type.Integer({ description: '0 if there was no response.' }),
  error: Type.Optional(text),
  durationMs: Type.Number(),
  requestBytes: count,
  responseBytes: count,
  time: Type.Number(),
  rerouted: Type.Optional({
    ...text,
    description:
      'What responded instead, as `outbound` in platform.dev.yaml says: an address, a status, or `refused`.',
  }),
  unread: Type.Optional(
    typed<true>(Type.Boolean({ description: 'The script did not read the body of the response.' })),
  ),
  details: Type.Optional({
    ...count,
    description: 'Its number in `GET /calls/{call}/outbound/{number}`. Absent if no details were recorded.',
  }),
});

const OutboundMessage = Type.Object({
  headers: Headers,
  body: Type.Optional(
    Type.Object({
      ...BodyResource.properties,
      cut: Type.Optional(typed<true>(Type.Boolean({ description: 'Only the first 64 KiB were recorded.' }))),
    }),
  ),
});

const OutboundDetails = Type.Object({
  request: OutboundMessage,
  response: Type.Optional(OutboundMessage),
});
/** What an outbound request sent and received, with secrets hidden. */
export type OutboundDetails = Static<typeof OutboundDetails>;

const BackgroundSpan = Type.Object({
  time: Type.Number(),
  durationMs: Type.Optional(Type.Number({ description: 'Absent while it is not settled.' })),
  error: Type.Optional(text),
});

const LimitUse = Type.Object({ name: oneOf(...limitNames), used: Type.Number(), limit: Type.Number() });

const Use = Type.Optional(
  Type.Object({
    used: Type.Number(),
    limit: Type.Optional(Type.Number({ description: 'Absent if none is known.' })),
    near: Type.Optional(typed<true>(Type.Boolean({ description: 'More than 80% of the limit.' }))),
  }),
);

/** What is wrong with a call, whatever its status. */
const verdictFields = {
  severity: oneOf('error', 'warning', 'none'),
  reason: Type.Optional(
    Type.String({ description: 'What is wrong, in one line. Absent without a problem.' }),
  ),
  at: Type.Optional(
    Type.Object(
      { file: text, line: count, column: count },
      { description: "The author's line, if it is known." },
    ),
  ),
  likelyCause: Type.Optional(
    Type.String({
      description: 'What probably caused the error, if the error shows only the consequence, and what to do.',
    }),
  ),
};

/** What the list and the detail of a call have in common. */
const callFields = {
  id: text,
  source: oneOf('request', 'event', 'script'),
  time: Type.Number(),
  version: Type.Integer({ description: 'The version of the integration that handled the call.' }),
  outcome: CallOutcome,
  ...verdictFields,
  error: Type.Optional(text),
  failure: Type.Optional(FailureResource),
  durationMs: Type.Optional(Type.Number()),
  cause: Type.Optional(
    typed<CallCause>(
      Type.Object(
        {
          type: oneOf('replay', 'task', 'render', 'display'),
          call: Type.Optional(text),
          task: Type.Optional(text),
        },
        {
          description:
            'What caused this call: another call, a task, or a page of the console that shows a block.',
        },
      ),
    ),
  ),
  requestBytes: count,
  responseBytes: count,
  near: Type.Optional(
    Type.Array(LimitUse, { description: 'The limits of which the call used more than 80%.' }),
  ),
};

export const CallLine = Type.Object({
  ...callFields,
  position: Type.Optional(
    Type.Integer({ description: 'Its position in the log. Not part of the live stream.' }),
  ),
  type: typed<EventType | 'envelope' | 'script'>(text),
  eventId: Type.Optional(text),
  installation: Type.Optional(text),
  site: Type.Optional(text),
  space: Type.Optional(text),
  subject: Type.Optional(Type.String({ description: 'A short description: a status, an address, a task.' })),
  component: Type.Optional(text),
  action: Type.Optional(text),
  method: Type.Optional(text),
  url: Type.Optional(text),
  status: Type.Optional(Type.Integer()),
  location: Type.Optional(Type.String({ description: 'Where a redirect leads.' })),
  pending: Type.Optional(
    typed<true>(Type.Boolean({ description: 'A promise that it passed to `waitUntil` has not settled.' })),
  ),
  logs: Type.Integer({ description: 'How many lines it logged.' }),
  outbound: Type.Integer({ description: 'How many requests it made.' }),
  lines: Type.Optional(
    Type.Array(Type.Object({ level, text, frame: Type.Optional(SourceFrameResource) }), {
      description: 'What the script logged outside of any call; with `lines=true`, the logs of every call.',
    }),
  ),
});
/** A call of the author's script as lists show it. */
export type CallLine = Static<typeof CallLine>;

const CallRecord = Type.Object({
  ...callFields,
  event: Type.Optional(typed<PlatformEvent | undefined>(PlatformEventSchema)),
  environment: Type.Optional(
    typed<Environment | undefined>(Type.Object({ integration: Type.Object({ name: text }) })),
  ),
  request: Type.Optional(Type.Object({ method: text, url: text, headers: Headers })),
  response: Type.Optional(Type.Object({ status: Type.Integer(), headers: Headers })),
  logs: Type.Array(LogLineResource),
  outbound: Type.Array(OutboundRequest),
  headMs: Type.Optional(Type.Number({ description: 'When the head of the response arrived.' })),
  background: Type.Optional(
    Type.Array(BackgroundSpan, { description: 'The promises that it passed to `waitUntil`.' }),
  ),
  effects: Type.Optional(
    Type.Array(
      typed<CallEffect>(
        Type.Object({
          type: oneOf('replay', 'task', 'render', 'delivery'),
          time: Type.Number(),
          id: Type.Optional(Type.String({ description: 'The id of the task or the delivery.' })),
          call: Type.Optional(Type.String({ description: 'The later call.' })),
          title: Type.Optional(text),
          dueAt: Type.Optional(Type.Number({ description: 'When the task is to run.' })),
        }),
      ),
      { description: 'What the call caused: replays, tasks, renders, webhook deliveries.' },
    ),
  ),
  scriptBytes: Type.Optional(count),
  missingScope: Type.Optional(missingScope),
  problems: Type.Optional(
    Type.Array(Type.Object({ code: text, severity: oneOf('error', 'warning'), message: text }), {
      description: 'What the platform noticed during the call, such as a missing scope of an API request.',
    }),
  ),
  headroom: Type.Optional(
    Type.Object(Object.fromEntries(limitNames.map((name) => [name, Use])) as Record<LimitName, typeof Use>, {
      description: 'How much of each limit the call used. Absent if it did not reach the script.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(MarkupProblemSchema, {
      description: 'Unknown elements and properties in the markup that was rendered.',
    }),
  ),
});
/** Everything that is known about a call. */
export type CallRecord = Static<typeof CallRecord>;

const Counts = Type.Object({
  current: { ...count, description: 'Calls that the current version handled: since the last save.' },
  all: count,
});

const CallProblemGroup = Type.Object({
  severity: oneOf('error', 'warning'),
  reason: text,
  at: verdictFields.at,
  calls: { ...count, description: 'How many calls have this problem.' },
  current: { ...count, description: 'How many of them the current version handled.' },
  first: Type.Number({ description: 'When the first of them began.' }),
  last: Type.Number({ description: 'When the last of them began.' }),
  call: Type.String({ description: 'The newest of them.' }),
  version: Type.Integer({ description: 'The version that handled the newest.' }),
});
export type CallProblemGroup = Static<typeof CallProblemGroup>;

const CallProblems = Type.Object({
  version: count,
  errors: Counts,
  warnings: Counts,
  groups: Type.Array(CallProblemGroup, {
    description:
      'By severity, reason and line: those of the current version first, errors before warnings, newest first. At most 100.',
  }),
});
/** The errors and warnings of all recorded calls. */
export type CallProblems = Static<typeof CallProblems>;

const position = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });
const one = Type.Object({ call: name });

const schemaOf = ({ kind, description, choices = [] }: (typeof filterList)[number][1]): TSchema => {
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  if (kind === 'flag') return Type.Boolean({ description: `true: ${description}.` });
  if (kind === 'milliseconds') return { ...position, description: sentence };
  if (kind === 'choice') return { ...oneOf(...choices), description: sentence };
  return Type.String({ description: sentence, maxLength: 500 });
};

const filterFields = Object.fromEntries(
  filterList.map(([name, filter]) => [name, Type.Optional(schemaOf(filter))]),
) as { [Name in FilterName]: TOptional<TUnsafe<NonNullable<CallFilter[Name]>>> };

export const callRoutes = defineRoutes({
  'GET /calls': {
    summary: 'List the calls of the script, newest last',
    input: Type.Object({
      after: Type.Optional({ ...position, description: 'Only after this position.' }),
      before: Type.Optional({ ...position, description: 'Only before this position.' }),
      ids: Type.Optional(
        Type.String({ description: 'Only these calls, separated by commas.', maxLength: 8000 }),
      ),
      ...filterFields,
      limit: Type.Optional({ ...position, description: 'Maximum number of calls.' }),
      lines: Type.Optional(
        Type.Boolean({
          description: 'true: each call with what it logged, and the code frame of its error.',
        }),
      ),
    }),
    output: Type.Array(CallLine),
    errors: [],
  },
  'GET /calls/count': {
    summary: 'Count the matching calls of the script, and all calls',
    input: Type.Object(filterFields),
    output: Type.Object({ matching: count, all: count }),
    errors: [],
  },
  'GET /calls/problems': {
    summary: 'The errors and warnings of all recorded calls, grouped by reason and line, and their number',
    input: Type.Object({}),
    output: CallProblems,
    errors: [],
  },
  'GET /calls/{call}': {
    summary: 'One call: its event, environment, response, logs and outbound requests',
    input: one,
    output: CallRecord,
    errors: ['unknown-call'],
  },
  'GET /calls/{call}/outbound/{number}': {
    summary: 'The headers and bodies of an outbound request and its response, with secrets hidden',
    input: Type.Object({ call: name, number: position }),
    output: OutboundDetails,
    errors: ['not-found'],
  },
  'GET /calls/{call}/request-body': {
    summary: 'The body of the request, with secrets hidden',
    input: one,
    output: bytes,
    errors: ['not-found'],
  },
  'GET /calls/{call}/response-body': {
    summary: 'The body of the response, with secrets hidden',
    input: one,
    output: bytes,
    errors: ['not-found'],
  },
});
