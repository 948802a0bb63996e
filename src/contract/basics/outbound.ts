import { Type } from 'typebox';
import { BodyResource, Headers, sourcePosition } from './resources.js';
import { count, described, isTrue, optional, type Static, text } from './route.js';

export const OutboundRequest = Type.Object({
  number: optional(
    count,
    "Position among the call's outbound requests, counted from 0 in the order in which they started. The list is in this order.",
  ),
  method: text,
  url: text,
  status: described(Type.Integer(), '0 if there was no response.'),
  error: optional(text, 'Why there was no response, or why the rest of its body is missing.'),
  code: optional(text, "The code of the error's cause, such as `ECONNREFUSED`."),
  aborted: optional(
    isTrue,
    'The script aborted the request, for example with a timeout, before the response was complete.',
  ),
  finalUrl: optional(text, 'The URL that responded, if `fetch` followed redirects.'),
  durationMs: Type.Number(),
  requestBytes: count,
  responseBytes: count,
  time: Type.Number(),
  rerouted: optional(
    text,
    'What responded instead, according to `outbound` in platform.dev.yaml: a URL, a status, or `refused`.',
  ),
  unread: optional(isTrue, 'The script did not read the response body.'),
  at: optional(sourcePosition, 'The line of the script that sent the request. Known only in Node.'),
  details: optional(
    count,
    'The `number` to pass to `GET /calls/{call}/outbound/{number}`. Absent if no details were recorded.',
  ),
});

const OutboundMessage = Type.Object({
  headers: Headers,
  body: optional(
    Type.Object({
      ...BodyResource.properties,
      cut: optional(isTrue, 'Only the beginning was recorded, up to 1 MB.'),
    }),
  ),
});

export const OutboundDetails = Type.Object({ request: OutboundMessage, response: optional(OutboundMessage) });
/** What an outbound request sent and received, with secrets masked. */
export type OutboundDetails = Static<typeof OutboundDetails>;
