import { Type } from 'typebox';
import { BodyResource, Headers } from './resources.js';
import { count, text, typed, type Static } from './route.js';

export const OutboundRequest = Type.Object({
  number: Type.Optional({
    ...count,
    description:
      "Position among the call's outbound requests, counted from 0 in the order in which they started. The list is in this order.",
  }),
  method: text,
  url: text,
  status: Type.Integer({ description: '0 if there was no response.' }),
  error: Type.Optional({
    ...text,
    description: 'Why there was no response, or why the rest of its body is missing.',
  }),
  code: Type.Optional({ ...text, description: "The code of the error's cause, such as `ECONNREFUSED`." }),
  aborted: Type.Optional(
    typed<true>(
      Type.Boolean({
        description:
          'The script aborted the request, for example with a timeout, before the response was complete.',
      }),
    ),
  ),
  finalUrl: Type.Optional({ ...text, description: 'The URL that responded, if `fetch` followed redirects.' }),
  durationMs: Type.Number(),
  requestBytes: count,
  responseBytes: count,
  time: Type.Number(),
  rerouted: Type.Optional({
    ...text,
    description:
      'What responded instead, according to `outbound` in platform.dev.yaml: a URL, a status, or `refused`.',
  }),
  unread: Type.Optional(
    typed<true>(Type.Boolean({ description: 'The script did not read the response body.' })),
  ),
  details: Type.Optional({
    ...count,
    description:
      'The `number` to pass to `GET /calls/{call}/outbound/{number}`. Absent if no details were recorded.',
  }),
});

const OutboundMessage = Type.Object({
  headers: Headers,
  body: Type.Optional(
    Type.Object({
      ...BodyResource.properties,
      cut: Type.Optional(
        typed<true>(Type.Boolean({ description: 'Only the beginning was recorded, up to 1 MB.' })),
      ),
    }),
  ),
});

export const OutboundDetails = Type.Object({
  request: OutboundMessage,
  response: Type.Optional(OutboundMessage),
});
/** What an outbound request sent and received, with secrets masked. */
export type OutboundDetails = Static<typeof OutboundDetails>;
