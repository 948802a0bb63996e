import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { Environment } from '../../protocol/environment.js';
import type { EventType, PlatformEvent } from '../../protocol/events.js';
import type { CallCause, CallEffect } from '../../protocol/log-and-outbound-types.js';
import { limitNames, type LimitName } from '../../protocol/call-limits.js';
import { filterList, type CallFilter, type FilterName } from '../basics/call-filters.js';
import {
  bytes,
  count,
  defineRoutes,
  described,
  isTrue,
  name,
  oneOf,
  optional,
  type Static,
  text,
  typed,
} from '../basics/route.js';
import { OutboundDetails, OutboundRequest } from '../basics/outbound.js';
import {
  FailureResource,
  Headers,
  MarkupProblemSchema,
  missingScope,
  ofIntegration,
  PlatformEventSchema,
  sourcePosition,
  SourceFrameResource,
} from '../basics/resources.js';

export const CallOutcome = oneOf('running', 'ok', 'failed', 'no-handler', 'withheld');
export type CallOutcome = Static<typeof CallOutcome>;

const level = oneOf('debug', 'info', 'warn', 'error');
export const LogLineResource = Type.Object({
  level,
  text,
  time: Type.Number(),
  frame: optional(SourceFrameResource),
});

const BackgroundSpan = Type.Object({
  time: Type.Number(),
  durationMs: optional(Type.Number(), 'Absent until the promise settles.'),
  error: optional(text),
});

const LimitUse = Type.Object({ name: oneOf(...limitNames), used: Type.Number(), limit: Type.Number() });

const Use = optional(
  Type.Object({
    used: Type.Number(),
    limit: optional(Type.Number(), 'Absent if the limit is unknown.'),
    near: optional(isTrue, 'More than 80% of the limit.'),
  }),
);

export const verdictFields = {
  severity: oneOf('error', 'warning', 'none'),
  reason: optional(text, 'The problem, in one line. Absent if the call has no problem.'),
  at: optional(sourcePosition, "The line in the script's source, if known."),
  likelyCause: optional(
    text,
    'The likely cause of the error, and how to fix it. Set if the error message shows only a symptom.',
  ),
};

/** The fields that the list and the details of a call have in common. */
const callFields = {
  id: text,
  source: oneOf('request', 'event', 'script'),
  time: Type.Number(),
  version: described(Type.Integer(), 'The version of the integration that handled the call.'),
  outcome: CallOutcome,
  ...verdictFields,
  error: optional(text),
  failure: optional(FailureResource),
  durationMs: optional(Type.Number()),
  cause: optional(
    typed<CallCause>()(
      Type.Object({
        type: oneOf('replay', 'task', 'render', 'display', 'setup'),
        call: optional(text),
        task: optional(text),
        change: optional(
          oneOf('installed', 'activated', 'configured', 'manifest', 'uninstalled'),
          'For `setup`, what changed the installation.',
        ),
      }),
    ),
    'What caused this call: another call, a task, a console page that shows a block, or a change of the installation.',
  ),
  requestBytes: count,
  responseBytes: count,
  near: optional(Type.Array(LimitUse), 'Limits that the call used more than 80% of.'),
};

export const CallLine = Type.Object({
  ...callFields,
  integration: ofIntegration,
  position: optional(Type.Integer(), "The call's position in the log. Not part of the live stream."),
  type: typed<EventType | 'envelope' | 'script'>()(text),
  eventId: optional(text),
  installation: optional(text),
  site: optional(text),
  space: optional(text),
  subject: optional(text, 'A short description, such as a status, a URL or a task.'),
  component: optional(text),
  action: optional(text),
  method: optional(text),
  url: optional(text),
  status: optional(Type.Integer()),
  location: optional(text, 'The target of a redirect.'),
  pending: optional(isTrue, 'A promise that the call passed to `waitUntil` has not settled.'),
  logs: described(Type.Integer(), 'Number of lines that the call logged.'),
  outbound: described(Type.Integer(), 'Number of outbound requests that the call sent.'),
  lines: optional(
    Type.Array(Type.Object({ level, text, frame: optional(SourceFrameResource) })),
    'The lines that the script logged while no call was running. With `lines=true`, also the log lines of every call.',
  ),
});
export type CallLine = Static<typeof CallLine>;

const CallRecord = Type.Object({
  ...callFields,
  event: optional(typed<PlatformEvent | undefined>()(PlatformEventSchema)),
  environment: optional(
    typed<Environment | undefined>()(Type.Object({ integration: Type.Object({ name: text }) })),
  ),
  defaulted: optional(
    Type.Object({
      installation: optional(Type.Array(text)),
      siteInstallation: optional(Type.Array(text)),
      spaceInstallation: optional(Type.Array(text)),
    }),
    "The names of the configuration properties that were not set, so the environment contains the manifest's defaults.",
  ),
  request: optional(Type.Object({ method: text, url: text, headers: Headers })),
  response: optional(Type.Object({ status: Type.Integer(), headers: Headers })),
  logs: Type.Array(LogLineResource),
  outbound: Type.Array(OutboundRequest),
  headMs: optional(Type.Number(), 'Time until the response headers arrived, in milliseconds.'),
  background: optional(Type.Array(BackgroundSpan), 'The promises that the call passed to `waitUntil`.'),
  effects: optional(
    Type.Array(
      typed<CallEffect>()(
        Type.Object({
          type: oneOf('replay', 'task', 'render', 'setup', 'delivery'),
          time: Type.Number(),
          id: optional(text, 'The id of the task or delivery.'),
          call: optional(text, 'The id of the resulting call.'),
          title: optional(text),
          dueAt: optional(Type.Number(), 'When the task is due.'),
        }),
      ),
    ),
    'What the call caused: replays, tasks, renders, webhook deliveries.',
  ),
  scriptBytes: optional(count),
  memory: optional(
    Type.Object({
      bytes: count,
      grown: optional(Type.Number(), "The increase since the process's first call."),
    }),
    "Memory used by the script's process when it responded. Known only in Node.",
  ),
  missingScope: optional(missingScope),
  problems: optional(
    Type.Array(Type.Object({ code: text, severity: oneOf('error', 'warning'), message: text })),
    'Problems that the platform noticed during the call, such as an API request that needs a missing scope.',
  ),
  headroom: optional(
    Type.Object(Object.fromEntries(limitNames.map((name) => [name, Use])) as Record<LimitName, typeof Use>),
    'How much of each limit the call used. Absent if the call never reached the script.',
  ),
  warnings: optional(
    Type.Array(MarkupProblemSchema),
    'Unknown elements and properties in the markup that was rendered.',
  ),
});
export type CallRecord = Static<typeof CallRecord>;

const Counts = Type.Object({
  current: described(count, 'Calls handled by the current version, since the last save.'),
  all: count,
});

const CallProblemGroup = Type.Object({
  severity: oneOf('error', 'warning'),
  reason: text,
  at: verdictFields.at,
  calls: described(count, 'Number of calls with this problem.'),
  current: described(count, 'How many of these calls the current version handled.'),
  first: described(Type.Number(), 'When the first of these calls started.'),
  last: described(Type.Number(), 'When the last of these calls started.'),
  integration: ofIntegration,
  call: described(text, 'The id of the most recent of these calls.'),
  version: described(Type.Integer(), 'The version that handled the most recent call.'),
  source: callFields.source,
  installation: optional(text),
  failure: callFields.failure,
  likelyCause: verdictFields.likelyCause,
});
export type CallProblemGroup = Static<typeof CallProblemGroup>;

const CallProblems = Type.Object({
  version: count,
  errors: Counts,
  warnings: Counts,
  groups: described(
    Type.Array(CallProblemGroup),
    'One group for each combination of severity, reason and line. Ids and numbers in the reason may differ. Groups from the current version come first. Within those, errors come before warnings, and groups with more calls first. At most 100 groups are returned.',
  ),
});
export type CallProblems = Static<typeof CallProblems>;

const SignatureReport = Type.Object({
  valid: described(
    Type.Boolean(),
    'Whether the signature matches the raw body and a secret that the platform knows.',
  ),
  explanation: text,
  header: optional(text, 'The header that contains the signature.'),
  secret: optional(text, 'The name of the secret that was used.'),
  ageSeconds: optional(Type.Number(), 'The age of the signature when the request arrived.'),
});
/** How the signature of a recorded request was made. */
export type SignatureReport = Static<typeof SignatureReport>;

const position = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });
const one = Type.Object({ call: name });

const schemaOf = ({ kind, description, choices = [] }: (typeof filterList)[number][1]): TSchema => {
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  if (kind === 'flag') return described(Type.Boolean(), `true: ${description}.`);
  if (kind === 'milliseconds') return { ...position, description: sentence };
  if (kind === 'choice') return { ...oneOf(...choices), description: sentence };
  return described(Type.String({ maxLength: 500 }), sentence);
};

const filterFields = Object.fromEntries(
  filterList.map(([name, filter]) => [name, optional(schemaOf(filter))]),
) as { [Name in FilterName]: TOptional<TUnsafe<NonNullable<CallFilter[Name]>>> };

export const callRoutes = defineRoutes({
  'GET /calls': {
    summary: 'List the recorded calls, newest last',
    input: Type.Object({
      after: optional(position, 'Only calls after this position.'),
      before: optional(position, 'Only calls before this position.'),
      ids: optional(Type.String({ maxLength: 8000 }), 'Only the calls with these ids, separated by commas.'),
      ...filterFields,
      limit: optional(position, 'Maximum number of calls.'),
      lines: optional(Type.Boolean(), "true: include each call's log lines and the code frame of its error."),
    }),
    output: Type.Array(CallLine),
  },
  'GET /calls/count': {
    summary: 'Count the calls that match the filters, and all calls',
    input: Type.Object(filterFields),
    output: Type.Object({ matching: count, all: count }),
  },
  'GET /calls/problems': {
    summary: 'Count the errors and warnings of all recorded calls, and group them by reason and line',
    output: CallProblems,
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
