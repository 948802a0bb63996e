import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import { callRoutes } from './routes/calls.js';
import { componentRoutes } from './routes/components.js';
import { configurationRoutes } from './routes/configuration.js';
import { eventRoutes } from './routes/events.js';
import { requestRoutes } from './routes/requests.js';
import { webhookRoutes } from './routes/webhooks.js';
import { described, oneOf, optional, text } from './basics/route.js';

/** A tool of `platform mcp`. Its texts are constants, so they never contain anything from a project. */
export interface AgentTool {
  title: string;
  description: string;
  input: TObject;
  /** Whether the tool changes something. If so, it is listed only with `--allow-changes`. */
  changes?: true;
}

const pick = (fields: TProperties, ...names: string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, fields[name] as TSchema]));

const target = ['installation', 'site', 'space'] as const;

const allOptional = (fields: TProperties): TProperties =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, optional(schema)]));

const cursor = optional(
  Type.String({ maxLength: 160 }),
  '`cursor` from the previous result, to continue after it.',
);
const callId = described(Type.String({ pattern: '^call_[0-9a-z]{1,40}$' }), 'Id of a call.');

/**
 * A path that is appended to the public endpoint's URL. The pattern rejects paths that would result in a URL on a different
 * host.
 */
const pathBelow = described(
  Type.String({ pattern: String.raw`^/(?![/\\])`, maxLength: 4000 }),
  "For kind `request`: path after the public endpoint's URL, including the query.",
);

export const agentTools = {
  status: {
    title: 'Status of the local platform',
    description:
      'Start here. Returns the integration, its version and last build, its installations, the spaces and sites, and the number of calls with errors.',
    input: Type.Object({}),
  },
  calls: {
    title: "List the script's calls",
    description:
      "Lists recorded calls, newest first, with their status, error, and the file and line in the author's code. Use failed: true to find what is broken.",
    input: Type.Object({
      ...pick(
        callRoutes['GET /calls'].input.properties,
        'failed',
        'warnings',
        'current',
        'type',
        'component',
        'status',
        'path',
        'search',
        'since',
      ),
      limit: optional(Type.Integer({ minimum: 1, maximum: 50 }), 'Default: 10.'),
      cursor,
    }),
  },
  call: {
    title: 'Show a call',
    description:
      'Returns everything about a call: the error with its code frame, likely cause, log lines, outbound requests, event, headers and bodies.',
    input: Type.Object({ call: callId, cursor }),
  },
  deliveries: {
    title: 'List webhook deliveries, or show one',
    description:
      'Lists webhook deliveries, newest first. With `delivery`, returns that delivery with each attempt and its response.',
    input: Type.Object({
      delivery: optional(
        Type.String({ pattern: '^dlv_[0-9a-z]{1,40}(?:@[^/]{1,100})?$' }),
        'Id of a delivery.',
      ),
      ...pick(webhookRoutes['GET /deliveries'].input.properties, 'failed', 'state', 'endpoint'),
      cursor,
    }),
  },
  problems: {
    title: 'List all known problems',
    description:
      'Lists the problems found in the build, the manifest, the marketplace checks and the calls, each with its file and line. Without a running platform, it lists only manifest problems.',
    input: Type.Object({ cursor }),
  },
  explain: {
    title: 'Explain a problem code',
    description:
      'Explains what a problem code such as manifest/unknown-key means and how to fix it. Works offline.',
    input: Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }), cursor }),
  },
  docs: {
    title: 'Search the documentation',
    description:
      'Searches the documentation of the installed version. `question` returns the best matching section and `page` returns a page. Without either, returns the list of pages. Works offline.',
    input: Type.Object({
      question: optional(Type.String({ minLength: 1, maxLength: 300 })),
      page: optional(Type.String({ maxLength: 100 }), 'Path of a page, such as guides/oauth.'),
      cursor,
    }),
  },
  page: {
    title: 'Show a page of the site',
    description:
      'Returns a page of a space as Markdown, with its blocks and their lines. Without `page`, returns the list of pages.',
    input: Type.Object({
      space: optional(Type.String({ maxLength: 200 }), 'Default: the first space.'),
      page: optional(Type.String({ maxLength: 500 }), 'Id of a page.'),
      cursor,
    }),
  },
  send: {
    title: 'Send an event, a request, a render or an action',
    description:
      'Runs the script with an event of `type`, a request to the public endpoint, a render of `component`, or an `action` on it. Returns the call.',
    changes: true,
    input: Type.Object({
      kind: oneOf('event', 'request', 'render', 'action'),
      ...allOptional(pick(eventRoutes['POST /events'].input.properties, 'type', 'event', 'set')),
      ...pick(
        componentRoutes['POST /render'].input.properties,
        'component',
        'block',
        'props',
        'state',
        'action',
      ),
      method: optional(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD')),
      path: optional(pathBelow),
      ...allOptional(pick(requestRoutes['POST /requests'].input.properties, 'headers')),
      body: optional(text, 'For kind `request`: the body, as text.'),
      ...pick(eventRoutes['POST /events'].input.properties, ...target),
    }),
  },
  configure: {
    title: "Edit an installation's configuration",
    description: 'Sets or clears properties, and sends the setup event. Does not return values.',
    changes: true,
    input: Type.Object({
      ...pick(configurationRoutes['PATCH /configuration'].input.properties, 'set', 'unset', ...target),
    }),
  },
  replay: {
    title: 'Replay a call with the current code',
    description: 'Runs a recorded call again, for example after a fix, and compares both responses.',
    changes: true,
    input: Type.Object({ call: callId }),
  },
  clock: {
    title: "Let the platform's time pass",
    description: "Runs the tasks and webhook retries that are due, at their time. The script's Date follows.",
    changes: true,
    input: Type.Object({
      seconds: optional(
        Type.Integer({ minimum: 1, maximum: 31_536_000 }),
        'Default: until the next task or retry.',
      ),
    }),
  },
} as const satisfies Record<string, AgentTool>;

export type AgentToolName = keyof typeof agentTools;
