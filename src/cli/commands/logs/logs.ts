import { matchesEntry } from '../../../store/calls/call-filter.js';
import type { LogLine } from '../../../protocol/log-and-outbound-types.js';
import type { TrafficQuery } from '../../../store/calls/call-log.js';
import type { TrafficLine } from '../../../contract/routes/calls.js';
import type { LiveEvent } from '../../../contract/routes/live.js';
import { UserError } from '../../../base/user-error.js';
import { placeOfFailure } from '../../session/render-failure.js';
import { defineCommand, fine, parseCount, type CommandContext } from '../../command.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { renderLate, renderLog, renderNear } from '../../session/live-lines.js';
import { hintFor } from '../../session/response-hint.js';
import { belowEndpoint } from '../../../base/text/below-endpoint.js';
import { clockTime, fit } from '../../session/call-words.js';
import type { Style } from '../../../terminal/style.js';
import { paintOutcome } from '../../session/outcome-color.js';

interface LogsOptions {
  follow?: boolean;
  type?: string;
  failed?: boolean;
  search?: string;
  limit?: number;
}

export const logs = defineCommand<LogsOptions>({
  name: 'logs',
  summary: 'list the requests and events of the running platform',
  options: [
    { flags: '-f, --follow', description: 'go on with what comes' },
    {
      flags: '--type <event>',
      description: 'only this type of event; fetch is the requests, script what ran outside of calls',
    },
    { flags: '--failed', description: 'only what failed' },
    { flags: '--search <text>', description: 'only with this text in the type, the address or the logs' },
    { flags: '--limit <n>', description: 'at most so many', parse: parseCount, default: 50 },
  ],
  examples: [
    { command: 'platform logs', does: 'the newest 50' },
    { command: 'platform logs --failed --type fetch', does: 'requests that failed' },
    { command: 'platform logs --follow --json', does: 'one object a line, as it happens' },
  ],
  async run(context, _, options) {
    const client = await connect(context);
    const { type, failed, search, limit } = options;
    const read = (): Promise<TrafficLine[]> => client.call('GET /traffic', { type, failed, search, limit });
    if (options.follow) {
      await follow(context, client, { read, query: queryOf(options) });
      return fine;
    }
    const lines = await read();
    if (lines.length === 0 && type !== undefined) await refuseUnknown(type);
    if (context.json) context.emit({ items: lines });
    else if (lines.length === 0)
      context.print(
        Object.keys(queryOf(options)).length === 0
          ? 'Nothing has happened yet. Try: platform trigger space_content_updated'
          : 'Nothing of the kind has happened.',
      );
    else for (const line of lines) show(context, line);
    return fine;
  },
});

const queryOf = ({ type, failed, search }: LogsOptions): TrafficQuery => ({
  ...(type !== undefined && { type }),
  ...(failed && { failed }),
  ...(search !== undefined && { search }),
});

async function refuseUnknown(type: string): Promise<void> {
  const { eventTypes } = await import('../../../protocol/sample-events.js');
  const known = [...eventTypes, 'script'];
  if (known.includes(type)) return;
  throw new UserError('unknown-event', `There is no event ${type}.`, hintFor({ given: type, known }));
}

/** The stream is opened before the list is read, so that nothing falls between them. */
async function follow(
  context: CommandContext,
  client: SessionClient,
  { read, query }: { read(): Promise<TrafficLine[]>; query: TrafficQuery },
): Promise<void> {
  const signal = context.io.takeInterrupts();
  const isWanted = async ({ id }: TrafficLine): Promise<boolean> =>
    Object.keys(query).length === 0 ||
    matchesEntry(await client.call('GET /traffic/{call}', { call: id }), query);
  try {
    await client.follow(signal, async (stream) => {
      const lines = await read();
      for (const line of lines) show(context, line);
      const listed = new Set(lines.flatMap(({ id, outcome }) => (outcome === 'running' ? [] : [id])));
      for await (const event of readEvents(stream)) {
        if (event.type === 'log') {
          const { call, late, line } = event;
          if (late && matchesEntry(outside(line), query)) showLate(context, call, line);
        } else if (event.type === 'traffic-finished') {
          const { entry } = event;
          if (!listed.has(entry.id) && (await isWanted(entry))) show(context, entry);
        }
      }
    });
    context.note('The platform has stopped.');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A line that belongs to no call that is still to come, as the list would keep it. */
const outside = (line: LogLine): Parameters<typeof matchesEntry>[0] => ({
  source: 'script',
  outcome: line.level === 'error' ? 'failed' : 'ok',
  logs: [line],
});

function showLate(context: CommandContext, call: string | undefined, line: LogLine): void {
  if (context.json) context.emit({ type: 'log', call, line });
  else context.print(renderLate(line, context));
}

function show(context: CommandContext, line: TrafficLine): void {
  if (context.json) context.emit({ type: 'traffic', entry: line });
  else context.print(renderTrafficLine(line, context));
}

/** The data of a stream of server-sent events. `hello` and `reset` have no data of a type. */
async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<LiveEvent | { type?: undefined }> {
  let text = '';
  for await (const chunk of stream.pipeThrough(
    new TextDecoderStream() as TransformStream<Uint8Array, string>,
  )) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const [, data] = /^data: (.*)$/m.exec(message) ?? [];
      if (data !== undefined) yield JSON.parse(data);
    }
  }
}

type ShownLine = Pick<LogLine, 'level' | 'text'>;

function renderTrafficLine(line: TrafficLine, { style, width }: { style: Style; width: number }): string {
  const { id, type, time, method, url, status, outcome, error, failure, durationMs, lines } = line;
  if (lines) return renderOutside(line, lines, { style, width });
  const what = url === undefined ? type : `${method} ${belowEndpoint(url)}`;
  const room = Math.max(20, width - 54);
  const verdict = paintOutcome({ outcome, status }, style, 10);
  const ms = durationMs === undefined ? '' : `${Math.round(durationMs)} ms`;
  const call = `${style.dim(clockTime(time))}  ${fit(what, room)}  ${verdict} ${ms.padStart(8)}  ${style.dim(id)}`;
  const head = [call, ...renderNear(line.near, style)].join('\n');
  const place = failure && placeOfFailure(failure);
  const why = failure?.message ?? error;
  if (why === undefined) return head;
  const gap = why.length + (place?.length ?? 0) + 12 > width ? '\n            ' : '  ';
  return `${head}\n          ${style.red(why)}${place === undefined ? '' : `${gap}${place}`}`;
}

/** The first line bears the time, as that of a call does. */
function renderOutside(
  { type, time, id }: TrafficLine,
  lines: readonly ShownLine[],
  view: { style: Style; width: number },
): string {
  const { style } = view;
  const head = `${style.dim(clockTime(time))}  ${type.padEnd(6)}  ${style.dim(id)}`;
  return [head, ...lines.flatMap((line) => renderLog(line, view))].join('\n');
}
