import { Type } from 'typebox';
import { defineRoutes, described, name, oneOf, optional, type Static, text } from '../basics/route.js';
import { verdictFields } from './calls.js';

const calls = described(Type.Array(name, { minItems: 1, maxItems: 10_000 }), 'The ids of the calls.');

const replayErrors = [
  'broken-project',
  'script-load-failed',
  'no-script',
  'no-workerd',
  'unrecordable',
] as const;

const RecordingRequest = Type.Object({
  calls,
  name: optional(name, 'The name of the file. Default: derived from the first call.'),
  redact: optional(Type.Array(name), 'Also replace the values of these fields, such as event.props.user.'),
  withBinary: optional(Type.Boolean(), 'true: include bodies that are not text.'),
  replace: optional(Type.Boolean(), 'true: replace an existing file, and write calls that did not repeat.'),
});
export type RecordingRequest = Static<typeof RecordingRequest>;

const RecordingResource = Type.Object({
  file: described(text, "The new file's path in the project."),
  calls: described(Type.Array(text), 'The names of the recorded calls.'),
  facts: described(
    Type.Array(
      Type.Object({
        title: text,
        lines: Type.Array(text),
        warn: described(Type.Boolean(), 'Whether a person must review these lines.'),
      }),
    ),
    'What was replaced or left out, as `platform record` prints it.',
  ),
});
export type RecordingResource = Static<typeof RecordingResource>;

const FailureReplay = Type.Object({
  call: text,
  verdict: described(
    oneOf('fixed', 'failing', 'unknown'),
    'unknown if the log lacks a response, or if the script did not cause the failure.',
  ),
  reason: optional(text, 'Why the call still fails, or why the verdict is unknown.'),
  at: verdictFields.at,
  before: optional(text, 'The first line of the response or an outbound request that differs, in the log.'),
  after: optional(text, 'The same line in the replay.'),
});
/** What a failed call does with the current code. */
export type FailureReplay = Static<typeof FailureReplay>;

export const recordingRoutes = defineRoutes({
  'POST /failures/replay': {
    summary: 'Run failed calls again with the current code, without sending requests to other services',
    input: Type.Object({ calls }),
    output: Type.Array(FailureReplay),
    errors: ['not-found', 'unknown-call', ...replayErrors],
  },
  'POST /recordings': {
    summary: 'Save calls to a file in the folder `recordings`, as `platform record` does',
    input: RecordingRequest,
    output: RecordingResource,
    errors: [
      'not-found',
      'unknown-call',
      'no-calls',
      'bad-value',
      'file-exists',
      'recording-differs',
      'not-a-file',
      'outside-project',
      ...replayErrors,
    ],
  },
});
