import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type { CallCause, CallEffect } from '../../protocol/log-and-outbound-types.js';
import { limitNames, type LimitName } from '../../protocol/call-limits.js';
import { filterList, type CallFilter, type FilterName } from '../basics/call-filters.js';
import { bytes, count, defineRoutes, name, oneOf, text, typed, type Static } from '../basics/route.js';
import { OutboundDetails, OutboundRequest } from '../basics/outbound.js';
import {
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

const BackgroundSpan = Type.Object({
  time: Type.Number(),
  durationMs: Type.Optional(Type.Number({ description: 'Absent until the promise settles.' })),
  error: Type.Optional(text),
});

const LimitUse = Type.Object({ name: oneOf(...limitNames), used: Type.Number(), limit: Type.Number() });

const Use = Type.Optional(
  Type.Object({
    used: Type.Number(),
    limit: Type.Optional(Type.Number({ description: 'Absent if the limit is unknown.' })),
    near: Type.Optional(typed<true>(Type.Boolean({ description: 'More than 80% of the limit.' }))),
  }),
);

/** What is wrong with a call, regardless of its status. */
const verdictFields = {
  severity: oneOf('error', 'warning', 'none'),
  reason: Type.Optional(
    Type.String({ description: 'The problem, in one line. Absent if the call has no problem.' }),
  ),
  at: Type.Optional(
    Type.Object(
      { file: text, line: count, column: count },
      { description: "The line in the script's source, if known." },
    ),
  ),
  likelyCause: Type.Optional(
    Type.String({
      description:
        'The likely cause of the error, and how to fix it. Set if the error message shows only a symptom.',
    }),
  ),
};

/** The fields that the list and the details of a call have in common. */
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
          type: oneOf('replay', 'task', 'render', 'display', 'setup'),
          call: Type.Optional(text),
          task: Type.Optional(text),
          change: Type.Optional({
            ...oneOf('installed', 'activated', 'configured', 'manifest', 'uninstalled'),
            description: 'For `setup`, what changed the installation.',
          }),
        },
        {
          description:
            'What caused this call: another call, a task, a console page that shows a block, or a change of the installation.',
        },
      ),
    ),
  ),
  requestBytes: count,
  responseBytes: count,
  near: Type.Optional(Type.Array(LimitUse, { description: 'Limits that the call used more than 80% of.' })),
};

export const CallLine = Type.Object({
  ...callFields,
  position: Type.Optional(
    Type.Integer({ description: "The call's position in the log. Not part of the live stream." }),
  ),
  type: typed<EventType | 'envelope' | 'script'>(text),
  eventId: Type.Optional(text),
  installation: Type.Optional(text),
  site: Type.Optional(text),
  space: Type.Optional(text),
  subject: Type.Optional(
    Type.String({ description: 'A short description, such as a status, a URL or a task.' }),
  ),
  component: Type.Optional(text),
  action: Type.Optional(text),
  method: Type.Optional(text),
  url: Type.Optional(text),
  status: Type.Optional(Type.Integer()),
  location: Type.Optional(Type.String({ description: 'The target of a redirect.' })),
  pending: Type.Optional(
    typed<true>(
      Type.Boolean({ description: 'A promise that the call passed to `waitUntil` has not settled.' }),
    ),
  ),
  logs: Type.Integer({ description: 'Number of lines that the call logged.' }),
  outbound: Type.Integer({ description: 'Number of outbound requests that the call sent.' }),
  lines: Type.Optional(
    Type.Array(Type.Object({ level, text, frame: Type.Optional(SourceFrameResource) }), {
      description:
        'The lines that the script logged while no call was running. With `lines=true`, also the log lines of every call.',
    }),
  ),
});
/** A call of the author's script, as shown in lists. */
export type CallLine = Static<typeof CallLine>;

const CallRecord = Type.Object({
  ...callFields,
  event: Type.Optional(typed<PlatformEvent | undefined>(PlatformEventSchema)),
  environment: Type.Optional(
    typed<Environment | undefined>(Type.Object({ integration: Type.Object({ name: text }) })),
  ),
  defaulted: Type.Optional(
    Type.Object(
      {
        installation: Type.Optional(Type.Array(text)),
        siteInstallation: Type.Optional(Type.Array(text)),
        spaceInstallation: Type.Optional(Type.Array(text)),
      },
      {
        description:
          "The names of the configuration properties that were not set, so the environment contains the manifest's defaults.",
      },
    ),
  ),
  request: Type.Optional(Type.Object({ method: text, url: text, headers: Headers })),
  response: Type.Optional(Type.Object({ status: Type.Integer(), headers: Headers })),
  logs: Type.Array(LogLineResource),
  outbound: Type.Array(OutboundRequest),
  headMs: Type.Optional(
    Type.Number({ description: 'Time until the response headers arrived, in milliseconds.' }),
  ),
  background: Type.Optional(
    Type.Array(BackgroundSpan, { description: 'The promises that the call passed to `waitUntil`.' }),
  ),
  effects: Type.Optional(
    Type.Array(
      typed<CallEffect>(
        Type.Object({
          type: oneOf('replay', 'task', 'render', 'setup', 'delivery'),
          time: Type.Number(),
          id: Type.Optional(Type.String({ description: 'The id of the task or delivery.' })),
          call: Type.Optional(Type.String({ description: 'The id of the resulting call.' })),
          title: Type.Optional(text),
          dueAt: Type.Optional(Type.Number({ description: 'When the task is due.' })),
        }),
      ),
      { description: 'What the call caused: replays, tasks, renders, webhook deliveries.' },
    ),
  ),
  scriptBytes: Type.Optional(count),
  memory: Type.Optional(
    Type.Object(
      {
        bytes: count,
        grown: Type.Optional(Type.Number({ description: "The increase since the process's first call." })),
      },
      { description: "Memory used by the script's process when it responded. Known only in Node." },
    ),
  ),
  missingScope: Type.Optional(missingScope),
  problems: Type.Optional(
    Type.Array(Type.Object({ code: text, severity: oneOf('error', 'warning'), message: text }), {
      description:
        'Problems that the platform noticed during the call, such as an API request that needs a missing scope.',
    }),
  ),
  headroom: Type.Optional(
    Type.Object(Object.fromEntries(limitNames.map((name) => [name, Use])) as Record<LimitName, typeof Use>, {
      description: 'How much of each limit the call used. Absent if the call never reached the script.',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(MarkupProblemSchema, {
      description: 'Unknown elements and properties in the markup that was rendered.',
    }),
  ),
});
/** All recorded details of a call. */
export type CallRecord = Static<typeof CallRecord>;

const Counts = Type.Object({
  current: { ...count, description: 'Calls handled by the current version, since the last save.' },
  all: count,
});

const CallProblemGroup = Type.Object({
  severity: oneOf('error', 'warning'),
  reason: text,
  at: verdictFields.at,
  calls: { ...count, description: 'Number of calls with this problem.' },
  current: { ...count, description: 'How many of these calls the current version handled.' },
  first: Type.Number({ description: 'When the first of these calls started.' }),
  last: Type.Number({ description: 'When the last of these calls started.' }),
  call: Type.String({ description: 'The id of the most recent of these calls.' }),
  version: Type.Integer({ description: 'The version that handled the most recent call.' }),
});
export type CallProblemGroup = Static<typeof CallProblemGroup>;

const CallProblems = Type.Object({
  version: count,
  errors: Counts,
  warnings: Counts,
  groups: Type.Array(CallProblemGroup, {
    description:
      'One group for each combination of severity, reason and line. Groups from the current version come first. Within those, errors come before warnings, and newer groups before older ones. At most 100 groups are returned.',
  }),
});
/** The errors and warnings of all recorded calls. */
export type CallProblems = Static<typeof CallProblems>;

const SignatureReport = Type.Object({
  valid: Type.Boolean({
    description: 'Whether the signature matches the raw body and a secret that the platform knows.',
  }),
  explanation: text,
  header: Type.Optional(Type.String({ description: 'The header that contains the signature.' })),
  secret: Type.Optional(Type.String({ description: 'The name of the secret that was used.' })),
  ageSeconds: Type.Optional(
    Type.Number({ description: 'The age of the signature when the request arrived.' }),
  ),
});
/** How the signature of a recorded request was made. */
export type SignatureReport = Static<typeof SignatureReport>;

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
    summary: 'List the recorded calls, newest last',
    input: Type.Object({
      after: Type.Optional({ ...position, description: 'Only calls after this position.' }),
      before: Type.Optional({ ...position, description: 'Only calls before this position.' }),
      ids: Type.Optional(
        Type.String({ description: 'Only the calls with these ids, separated by commas.', maxLength: 8000 }),
      ),
      ...filterFields,
      limit: Type.Optional({ ...position, description: 'Maximum number of calls.' }),
      lines: Type.Optional(
        Type.Boolean({
          description: "true: include each call's log lines and the code frame of its error.",
        }),
      ),
    }),
    output: Type.Array(CallLine),
    errors: [],
  },
  'GET /calls/count': {
    summary: 'Count the calls that match the filters, and all calls',
    input: Type.Object(filterFields),
    output: Type.Object({ matching: count, all: count }),
    errors: [],
  },
  'GET /calls/problems': {
    summary: 'Count the errors and warnings of all recorded calls, and group them by reason and line',
    input: Type.Object({}),
    output: CallProblems,
    errors: [],
  },
  'GET /calls/{call}': {
    summary: 'Get a call with its event, environment, response, logs and outbound requests',
    input: one,
    output: CallRecord,
    errors: ['unknown-call'],
  },
  'GET /calls/{call}/outbound/{number}': {
    summary: 'Get the headers and bodies of an outbound request and its response, with secrets masked',
    input: Type.Object({ call: name, number: position }),
    output: OutboundDetails,
    errors: ['not-found'],
  },
  'GET /calls/{call}/signature': {
    summary: 'Find out which secret and which form of the body the signature of a request matches',
    input: one,
    output: SignatureReport,
    errors: ['unknown-call'],
  },
  'GET /calls/{call}/request-body': {
    summary: 'Get the request body, with secrets masked',
    input: one,
    output: bytes,
    errors: ['not-found'],
  },
  'GET /calls/{call}/response-body': {
    summary: 'Get the response body, with secrets masked',
    input: one,
    output: bytes,
    errors: ['not-found'],
  },
});
