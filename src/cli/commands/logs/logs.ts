import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import type { CallFilter } from '../../../contract/basics/call-filters.js';
import type { CallLine } from '../../../contract/routes/calls.js';
import { readServerSentEvents } from '../../../base/read-server-sent-events.js';
import type { LiveEvent } from '../../../contract/routes/live.js';
import { internalError } from '../../../protocol/exposable-error.js';
import { UserError } from '../../../base/user-error.js';
import { filterOptions } from '../../session/filter-options.js';
import { positionOfFailure, renderFailure } from '../../session/render-failure.js';
import { defineCommand, fine, parseCount, type CommandContext } from '../../context/command.js';
import { FollowedCalls } from './followed-calls.js';
import { noteBrokenBuild } from '../../session/note-broken-build.js';
import { renderLikelyCause } from '../../session/settled-calls.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { renderLate, renderLog, renderNear, renderRedirect } from '../../session/live-lines.js';
import { hintFor } from '../../session/response-hint.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import { fit, nameOfRender, timeOrDate } from '../../session/call-words.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import { paintOutcome } from '../../session/outcome-color.js';

type LogsOptions = CallFilter & { follow?: boolean; limit?: number; calls?: boolean };

export const logs = defineCommand<LogsOptions>({
  name: 'logs',
  summary: 'show what the running integration logged, call by call',
  description: "Show the running integration's calls with their logs and errors. Filters can be combined.",
  options: {
    '-f, --follow': 'keep printing new calls as they finish',
    '--calls': 'list the calls without their logs',
    ...filterOptions,
    '--limit <n>': { description: 'maximum number to show', parse: parseCount, default: 50 },
  },
  examples: {
    'platform logs': 'show the 50 most recent calls',
    'platform logs --failed --type fetch': 'show failed requests',
    'platform logs --status 5xx --path /webhook --since 15m': 'show server errors on one route',
    'platform logs --follow --json': 'print one JSON object per line as calls finish',
  },
  async run(context, _, { follow: isFollowed, calls, limit, ...filter }) {
    const client = await connect(context);
    const read: ReadCalls = (query) => client.call('GET /calls', { ...filter, ...query, lines: !calls });
    const show = (line: CallLine): void => {
      if (context.json) context.emit({ type: 'call', call: line });
      else context.print(renderCall(line, context));
    };
    if (isFollowed) {
      await follow(context, client, { read, limit, show, all: isEmpty(filter) });
      return fine;
    }
    const lines = await read({ limit });
    if (lines.length === 0 && filter.type !== undefined) await refuseUnknown(filter.type);
    const wrong = calls ? undefined : newestProblem(lines);
    const next = wrong && `platform inspect ${wrong.id}`;
    if (context.json) context.emit({ items: lines, ...(next !== undefined && { next }) });
    else if (lines.length === 0)
      context.print(
        isEmpty(filter) ? 'No calls yet. Try: platform trigger space_content_updated' : 'No matching calls.',
      );
    else for (const line of lines) show(line);
    if (!context.json && next !== undefined && !context.io.stdout.isTTY) context.print(`next: ${next}`);
    await noteBrokenBuild(client, context);
    if (lines.length === limit) await noteMore(context, client, { shown: lines.length, filter });
    return fine;
  },
});

/** Prefers a call, because it contains more information than a line logged outside of calls. */
function newestProblem(lines: readonly CallLine[]): CallLine | undefined {
  const wrong = lines.filter(({ severity }) => severity !== 'none');
  return wrong.findLast(({ type }) => type !== 'script') ?? wrong.at(-1);
}

type ReadCalls = (query: { after?: number; limit?: number | undefined; ids?: string }) => Promise<CallLine[]>;

const isEmpty = (filter: CallFilter): boolean => Object.keys(filter).length === 0;

/** Adds a note if the list was cut off at its limit. */
async function noteMore(
  context: CommandContext,
  client: SessionClient,
  { shown, filter }: { shown: number; filter: CallFilter },
): Promise<void> {
  const { matching } = await client.call('GET /calls/count', filter);
  if (matching > shown)
    context.note(`Showing the newest ${shown} of ${matching} calls. Use --limit to see more.`);
}

async function refuseUnknown(type: string): Promise<void> {
  const { eventTypes } = await import('../../../protocol/sample-events.js');
  const known = [...eventTypes, 'script'];
  if (known.includes(type)) return;
  throw new UserError('unknown-event', `Unknown event: ${type}.`, hintFor({ given: type, known }));
}

/** Follows new calls. Opens the stream before reading the list, so that no call is missed in between. */
async function follow(
  context: CommandContext,
  client: SessionClient,
  {
    read,
    limit,
    show,
    all,
  }: {
    read: ReadCalls;
    limit: number | undefined;
    show(line: CallLine): void;
    /** True if there is no filter. */
    all: boolean;
  },
): Promise<void> {
  const signal = context.io.takeInterrupts();
  const wanted = async (id: string): Promise<CallLine | undefined> => (await read({ ids: id }))[0];
  try {
    await client.follow(signal, async (stream) => {
      const lines = await read({ limit });
      for (const line of lines) show(line);
      const followed = new FollowedCalls(read, lines);
      for await (const event of readServerSentEvents<StreamEvent>(stream)) {
        if (event.type === 'reset') for (const line of await followed.missed()) show(line);
        else if (event.type === 'call-started') followed.started(event.call.id);
        else if (event.type === 'log') {
          const { call, late, line } = event;
          if (late && (all || (call !== undefined && (await wanted(call))))) showLate(context, call, line);
        } else if (event.type === 'call-finished') {
          const { call } = event;
          if (!(await followed.finished(call.id))) continue;
          const line = await wanted(call.id);
          if (line) show(line);
        }
      }
    });
    context.note('The platform has stopped.');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function showLate(context: CommandContext, call: string | undefined, line: LogLine): void {
  if (context.json) context.emit({ type: 'log', call, line });
  else context.print(renderLate(line, context));
}

/** What the live stream sends. `hello` and `reset` contain only their type. */
export type StreamEvent = LiveEvent | { type: 'hello' | 'reset' };

type View = Pick<CommandContext, 'style' | 'width' | 'wrapAt' | 'io'>;

/** Renders a call, with its logs and problems indented below it. With `--calls`, the logs are omitted. */
function renderCall(line: CallLine, view: View): string {
  const { type, lines = [], logs } = line;
  return [
    renderHead(line, view),
    ...renderRedirect(line.location, view.style),
    ...renderNear(line.near, view.style),
    ...lines.flatMap((logged) => renderLog(logged, view)),
    ...(logs > lines.length && lines.length > 0
      ? [`          ${view.style.dim(`… ${logs - lines.length} more: platform inspect ${line.id}`)}`]
      : []),
    ...(type === 'script' || isLogged(line) ? [] : renderReason(line, view)),
    ...renderLikelyCause(line, view.width - 8).map((text) => `        ${text}`),
  ].join('\n');
}

/** Whether the logs already show what is wrong with the call. A warning may be unrelated to the errors in the logs. */
function isLogged({ lines = [], severity, reason = '', error }: CallLine): boolean {
  const errors = lines.filter(({ level }) => level === 'error');
  const logged = (text: string): boolean => errors.some((line) => line.text.includes(text));
  if (severity !== 'error') return logged(reason);
  // A thrown error is logged with its stack. If the platform ended the call, for example at the time limit, the reason is not
  // logged.
  return errors.length > 0 && (error === undefined || error === internalError || logged(error));
}

function renderHead(line: CallLine, { style, width, io }: View): string {
  const { id, type, time, method, url, status, outcome, severity, durationMs, integration } = line;
  const of = integration === undefined ? '' : `${integration}  `;
  const at = timeOrDate(time, io.clock.now());
  if (type === 'script') return `${style.dim(at)}  ${of}${type.padEnd(6)}  ${style.dim(id)}`;
  const named = type === 'ui_render' ? `${type} ${nameOfRender(line)}` : type;
  const what = of + (url === undefined ? named : `${method} ${belowEndpoint(url)}`);
  const room = Math.max(20, width - 46 - at.length);
  const verdict = paintOutcome({ outcome, status, severity }, style, 11);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  return `${style.dim(at)}  ${fit(what, room)}  ${verdict} ${ms.padStart(7)}  ${style.dim(id)}`;
}

function renderReason({ severity, reason, at, failure, lines = [] }: CallLine, view: View): string[] {
  if (severity === 'none' || reason === undefined) return [];
  const margin = '          ';
  const paint = severity === 'error' ? view.style.red : view.style.yellow;
  // The logs above already show the code.
  const sentence = wrapText(reason, view.wrapAt - margin.length).map((text) => `${margin}${paint(text)}`);
  if (lines.some(({ frame }) => frame)) return sentence;
  if (failure?.frame) return renderFailure(failure, view).map((text) => `${margin.slice(2)}${text}`);
  const position = at && positionOfFailure({ message: reason, ...at });
  if (position === undefined) return sentence;
  return reason.length + position.length + 12 > view.width
    ? [...sentence, `${margin}  ${position}`]
    : [`${margin}${paint(reason)}  ${position}`];
}
