import { Type } from 'typebox';
import {
  count,
  defineRoutes,
  described,
  isTrue,
  oneOf,
  optional,
  type Static,
  text,
} from '../basics/route.js';
import { FailureResource, InstalledTarget } from '../basics/resources.js';

const Fact = Type.Object({ name: text, value: text });

export const ConnectionStep = Type.Object({
  name: oneOf('authorize', 'consent', 'return', 'exchange', 'extract', 'store'),
  state: Type.Unsafe<'done' | 'running' | 'failed' | 'not-reached'>({
    ...oneOf('done', 'running', 'failed', 'not-reached'),
    description: '`running`: waiting for the user or the script.',
  }),
  verdict: optional(text, "A short description of the step's result. Absent if the step was not reached."),
  time: optional(Type.Number()),
  durationMs: optional(Type.Number()),
  call: optional(text, 'The id of the call that the step belongs to.'),
  outbound: optional(count, "The `number` of the step's request among the call's outbound requests."),
  sent: Type.Array(Fact),
  received: Type.Array(Fact),
  failure: optional(FailureResource),
  hint: optional(text, 'What to do next.'),
});
export type ConnectionStep = Static<typeof ConnectionStep>;

const Connection = Type.Object({
  id: described(text, 'The id of the call that started the connection.'),
  target: Type.Partial(InstalledTarget),
  time: Type.Number(),
  outcome: oneOf('running', 'connected', 'failed'),
  refresh: optional(
    isTrue,
    'true: this is a later refresh of the token, and `id` is the id of the call that refreshed it. A refresh has only the steps `exchange`, `extract` and `store`.',
  ),
  startUrl: optional(text, 'URL to open in a browser to start the connection again.'),
  redirectUrl: optional(text, 'The redirect URL of the authorization. Register it with the provider.'),
  steps: Type.Array(ConnectionStep),
});
/** An OAuth connection, from the first redirect to the stored values. Secrets are masked. */
export type Connection = Static<typeof Connection>;

export const connectionRoutes = defineRoutes({
  'GET /connections': {
    summary: 'List the latest OAuth connections and token refreshes with their steps, newest first',
    input: Type.Object({
      installation: optional(text),
      site: optional(text),
      space: optional(text),
      call: optional(text, 'Only the connection that this call belongs to.'),
    }),
    output: Type.Array(Connection),
  },
});
