import { Type } from 'typebox';
import { count, defineRoutes, oneOf, text, typed, type Static } from '../basics/route.js';
import { FailureResource, InstalledTarget } from '../basics/resources.js';

const Fact = Type.Object({ name: text, value: text });

export const ConnectionStep = Type.Object({
  name: oneOf('authorize', 'consent', 'return', 'exchange', 'extract', 'store'),
  state: Type.Unsafe<'done' | 'running' | 'failed' | 'not-reached'>({
    ...oneOf('done', 'running', 'failed', 'not-reached'),
    description: '`running`: waiting for the user or the script.',
  }),
  verdict: Type.Optional(
    Type.String({
      description: "A short description of the step's result. Absent if the step was not reached.",
    }),
  ),
  time: Type.Optional(Type.Number()),
  durationMs: Type.Optional(Type.Number()),
  call: Type.Optional(Type.String({ description: 'The id of the call that the step belongs to.' })),
  outbound: Type.Optional({
    ...count,
    description: "The `number` of the step's request among the call's outbound requests.",
  }),
  sent: Type.Array(Fact),
  received: Type.Array(Fact),
  failure: Type.Optional(FailureResource),
  hint: Type.Optional(Type.String({ description: 'What to do next.' })),
});
export type ConnectionStep = Static<typeof ConnectionStep>;

const Connection = Type.Object({
  id: Type.String({ description: 'The id of the call that started the connection.' }),
  target: Type.Partial(InstalledTarget),
  time: Type.Number(),
  outcome: oneOf('running', 'connected', 'failed'),
  refresh: Type.Optional(
    typed<true>(
      Type.Boolean({
        description:
          'true: this is a later refresh of the token, and `id` is the id of the call that refreshed it. A refresh has only the steps `exchange`, `extract` and `store`.',
      }),
    ),
  ),
  startUrl: Type.Optional(
    Type.String({ description: 'URL to open in a browser to start the connection again.' }),
  ),
  redirectUrl: Type.Optional(
    Type.String({ description: 'The redirect URL of the authorization. Register it with the provider.' }),
  ),
  steps: Type.Array(ConnectionStep),
});
/** An OAuth connection, from the first redirect to the stored values. Secrets are masked. */
export type Connection = Static<typeof Connection>;

export const connectionRoutes = defineRoutes({
  'GET /connections': {
    summary: 'List the latest OAuth connections and token refreshes with their steps, newest first',
    input: Type.Object({
      installation: Type.Optional(text),
      site: Type.Optional(text),
      space: Type.Optional(text),
      call: Type.Optional(Type.String({ description: 'Only the connection that this call belongs to.' })),
    }),
    output: Type.Array(Connection),
    errors: [],
  },
});
