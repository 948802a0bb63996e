import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import type { CallFilter, CallLine } from '../../../contract/routes/calls.js';
import type { LiveEvent } from '../../../contract/routes/live.js';
import { UserError } from '../../../base/user-error.js';
import { positionOfFailure } from '../../session/render-failure.js';
import { defineCommand, fine, parseCount, type CommandContext } from '../../context/command.js';
import { filterOptions } from './filter-options.js';
import { FollowedCalls } from './followed-calls.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { renderLate, renderLog, renderNear } from '../../session/live-lines.js';
import { hintFor } from '../../session/response-hint.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import { clockTime, fit } from '../../session/call-words.js';
import type { Style } from '../../../terminal/style.js';
import { paintOutcome } from '../../session/outcome-color.js';

type LogsOptions = CallFilter & { follow?: boolean; limit?: number };

export const logs = defineCommand<LogsOptions>({
  name: 'logs',
  summary: 'list the calls of the running integration',
  description:
    'List the calls of the running integration. With several filters, lists the calls that match all of them.',
  options: [
    { flags: '-f, --follow', description: 'keep printing new calls as they finish' },
    ...filterOptions,
    { flags: '--limit <n>', description: 'maximum number to show', parse: parseCount, default: 50 },
  ],
  examples: [
    { command: 'platform logs', does: 'show the newest 50' },
    { command: 'platform logs --failed --type fetch', does: 'failed requests' },
    { command: 'platform logs --status 5xx --path /webhook --since 15m', does: 'server errors of one route' },
    { command: 'platform logs --follow --json', does: 'one JSON object per line, as calls finish' },
  ],
  async run(context, _, { follow: isFollowed, limit, ...filter }) {
    const client = await connect(context);
    const read = (): Promise<CallLine[]> => client.call('GET /calls', { ...filter, limit });
    if (isFollowed) {
      await follow(context, client, { read, filter });
      return fine;
    }
    const lines = await read();
    if (lines.length === 0 && filter.type !== undefined) await refuseUnknown(filter.type);
    if (context.json) context.emit({ items: lines });
    else if (lines.length === 0)
      context.print(
        isEmpty(filter)
          ? 'Nothing has happened yet. Try: platform trigger space_content_updated'
          : 'No call matches.',
      );
    else for (const line of lines) show(context, line);
    if (lines.length === limit) await noteMore(context, client, { shown: lines.length, filter });
    return fine;
  },
});

const isEmpty = (filter: CallFilter): boolean => Object.keys(filter).length === 0;

/** The list was cut off at its limit. */
async function noteMore(
  context: CommandContext,
  client: SessionClient,
  { shown, filter }: { shown: number; filter: CallFilter },
): Promise<void> {
  const { matching } = await client.call('GET /calls/count', filter);
  if (matching > shown) context.note(`The newest ${shown} of ${matching} calls. --limit shows more.`);
}

async function refuseUnknown(type: string): Promise<void> {
  const { eventTypes } = await import('../../../protocol/sample-events.js');
  const known = [...eventTypes, 'script'];
  if (known.includes(type)) return;
  throw new UserError('unknown-event', `There is no event ${type}.`, hintFor({ given: type, known }));
}

/** The stream is opened before the list is read, so that no call is missed in between. */
async function follow(
  context: CommandContext,
  client: SessionClient,
  { read, filter }: { read(): Promise<CallLine[]>; filter: CallFilter },
): Promise<void> {
  const signal = context.io.takeInterrupts();
  const isWanted = async (id: string | undefined): Promise<boolean> =>
    isEmpty(filter) ||
    (id !== undefined && (await client.call('GET /calls', { ...filter, ids: id })).length > 0);
  try {
    await client.follow(signal, async (stream) => {
      const lines = await read();
      for (const line of lines) show(context, line);
      const followed = new FollowedCalls(client, filter, lines);
      for await (const event of readEvents(stream)) {
        if (event.type === 'reset') for (const line of await followed.missed()) show(context, line);
        else if (event.type === 'call-started') followed.started(event.call.id);
        else if (event.type === 'log') {
          const { call, late, line } = event;
          if (late && (await isWanted(call))) showLate(context, call, line);
        } else if (event.type === 'call-finished') {
          const { call } = event;
          if ((await followed.finished(call.id)) && (await isWanted(call.id))) show(context, call);
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

function show(context: CommandContext, line: CallLine): void {
  if (context.json) context.emit({ type: 'call', call: line });
  else context.print(renderCallLine(line, context));
}

/** The data of server-sent events. `hello` and `reset` carry nothing but their type. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<LiveEvent | { type: 'hello' | 'reset' }> {
  let text = '';
  for await (const chunk of stream.pipeThrough(
    new TextDecoderStream() as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const [, type, data] = /^event: (.*)$[^]*^data: (.*)$/m.exec(message) ?? [];
      if (data !== undefined) yield { type, ...JSON.parse(data) };
    }
  }
}

type ShownLine = Pick<LogLine, 'level' | 'text'>;

function renderCallLine(line: CallLine, { style, width }: { style: Style; width: number }): string {
  const { id, type, time, method, url, status, outcome, error, failure, durationMs, lines } = line;
  if (lines) return renderOutside(line, lines, { style, width });
  const what = url === undefined ? type : `${method} ${belowEndpoint(url)}`;
  const room = Math.max(20, width - 54);
  const verdict = paintOutcome({ outcome, status }, style, 10);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  const call = `${style.dim(clockTime(time))}  ${fit(what, room)}  ${verdict} ${ms.padStart(8)}  ${style.dim(id)}`;
  const head = [call, ...renderNear(line.near, style)].join('\n');
  const position = failure && positionOfFailure(failure);
  const why = failure?.message ?? error;
  if (why === undefined) return head;
  const gap = why.length + (position?.length ?? 0) + 12 > width ? '\n            ' : '  ';
  return `${head}\n          ${style.red(why)}${position === undefined ? '' : `${gap}${position}`}`;
}

/** The first line has the time, like the line of a call. */
function renderOutside(
  { type, time, id }: CallLine,
  lines: readonly ShownLine[],
  view: { style: Style; width: number },
): string {
  const { style } = view;
  const head = `${style.dim(clockTime(time))}  ${type.padEnd(6)}  ${style.dim(id)}`;
  return [head, ...lines.flatMap((line) => renderLog(line, view))].join('\n');
}
