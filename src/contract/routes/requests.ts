import { Type } from 'typebox';
import { count, defineRoutes, name, text } from '../basics/route.js';
import { BodyResource, FailureResource, Headers, targetFields } from '../basics/resources.js';
import { CallOutcome } from './calls.js';

export const requestRoutes = defineRoutes({
  'POST /requests': {
    summary: "Send a request to a target's public endpoint",
    input: Type.Object({
      ...targetFields,
      method: name,
      path: Type.String({ description: 'Path after the endpoint URL, including the query.' }),
      headers: Type.Optional(Headers),
      body: Type.Optional(BodyResource),
      from: Type.Optional(
        Type.String({
          description: 'The id of the recorded call that this request was made from. A signature is renewed.',
        }),
      ),
    }),
    output: Type.Object({
      call: text,
      status: count,
      outcome: CallOutcome,
      failure: Type.Optional(FailureResource),
      signature: Type.Optional(
        Type.String({
          description: 'Whether the signature was renewed. Absent if the request had no signature.',
        }),
      ),
    }),
    errors: ['not-found', 'not-installed', 'not-sent'],
    maxBodyMiB: 16,
  },
});
