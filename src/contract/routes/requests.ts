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
    }),
    output: Type.Object({
      call: text,
      status: count,
      outcome: CallOutcome,
      failure: Type.Optional(FailureResource),
    }),
    errors: ['not-found', 'not-installed', 'not-sent'],
    maxBodyMiB: 16,
  },
});
