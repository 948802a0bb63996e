import { defineCommand, fine, parseWholeNumber, type CommandContext } from '../command.js';
import { connect, type SessionClient } from '../session/connect.js';
import { readMessages } from '../session/read-messages.js';
import { renderTrafficLine, type TrafficLine } from '../session/render-traffic-line.js';

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
    { flags: '--type <event>', description: 'only this type of event; fetch is the requests' },
    { flags: '--failed', description: 'only what failed' },
    { flags: '--search <text>', description: 'only with this text in the type, the address or the logs' },
    { flags: '--limit <n>', description: 'at most so many', parse: parseWholeNumber, default: 50 },
  ],
  examples: [
    { command: 'platform logs', does: 'the newest 50' },
    { command: 'platform logs --failed --type fetch', does: 'requests that failed' },
    { command: 'platform logs --follow --json', does: 'one object a line, as it happens' },
  ],
  async run(context, _, options) {
    const client = await connect(context);
    const { type, failed, search, limit } = options;
    const lines = await client.get<TrafficLine[]>('/traffic', { type, failed, search, limit });
    if (context.json && !options.follow) {
      context.emit({ items: lines });
      return fine;
    }
    for (const line of lines) show(context, line);
    if (lines.length === 0 && !options.follow)
      context.print('Nothing has happened yet. Try: platform trigger space_content_updated');
    if (options.follow) await follow(context, client, options);
    return fine;
  },
});

async function follow(
  context: CommandContext,
  client: SessionClient,
  { type, failed, search }: LogsOptions,
): Promise<void> {
  const { signal } = context.io;
  try {
    for await (const { event, data } of readMessages(await client.stream('/stream', signal))) {
      if (event !== 'traffic-finished') continue;
      const { entry } = data as { entry: TrafficLine };
      if (type !== undefined && entry.type !== type) continue;
      if (failed && entry.outcome !== 'failed') continue;
      if (search !== undefined && !JSON.stringify(entry).includes(search)) continue;
      show(context, entry);
    }
    context.note('The platform has stopped.');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function show(context: CommandContext, line: TrafficLine): void {
  if (context.json) context.emit({ type: 'traffic', entry: line });
  else context.print(renderTrafficLine(line, context));
}
