import { Type } from 'typebox';
import { count, defineRoutes, described, name, optional, text } from '../basics/route.js';
import { BodyResource, FailureResource, Headers, targetFields } from '../basics/resources.js';
import { CallOutcome } from './calls.js';

export const requestRoutes = defineRoutes({
  'POST /requests': {
    summary: "Send a request to a target's public endpoint",
    input: Type.Object({
      ...targetFields,
      method: name,
      path: described(text, 'Path after the endpoint URL, including the query.'),
      headers: optional(Headers),
      body: optional(BodyResource),
      from: optional(
        text,
        'The id of the recorded call that this request was made from. A signature is renewed.',
      ),
    }),
    output: Type.Object({
      call: text,
      status: count,
      outcome: CallOutcome,
      failure: optional(FailureResource),
      signature: optional(text, 'Whether the signature was renewed. Absent if the request had no signature.'),
    }),
    errors: ['not-found', 'not-installed', 'not-sent'],
    maxBodyMiB: 16,
  },
});
