import { Type } from 'typebox';
import { defineRoutes, name, text, type Static } from '../basics/route.js';

const RecordingRequest = Type.Object({
  calls: Type.Array(name, { description: 'The ids of the calls.', minItems: 1, maxItems: 10_000 }),
  name: Type.Optional({
    ...name,
    description: 'The name of the file. Default: derived from the first call.',
  }),
  redact: Type.Optional(
    Type.Array(name, { description: 'Also replace the values of these fields, such as event.props.user.' }),
  ),
  withBinary: Type.Optional(Type.Boolean({ description: 'true: include bodies that are not text.' })),
  replace: Type.Optional(
    Type.Boolean({ description: 'true: replace an existing file, and write calls that did not repeat.' }),
  ),
});
export type RecordingRequest = Static<typeof RecordingRequest>;

const RecordingResource = Type.Object({
  file: Type.String({ description: "The new file's path in the project." }),
  calls: Type.Array(text, { description: 'The names of the recorded calls.' }),
  facts: Type.Array(
    Type.Object({
      title: text,
      lines: Type.Array(text),
      warn: Type.Boolean({ description: 'Whether a person must review these lines.' }),
    }),
    { description: 'What was replaced or left out, as `platform record` prints it.' },
  ),
});
export type RecordingResource = Static<typeof RecordingResource>;

export const recordingRoutes = defineRoutes({
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
      'broken-project',
      'script-load-failed',
      'no-script',
      'no-workerd',
    ],
  },
});
