import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import type { CallFilter } from '../../../contract/basics/call-filters.js';
import type { Call } from '../../../contract/call.js';
import type { LoggedCall } from '../../../recordings/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { readOutbound, undefinedIfMissing } from '../../session/read-outbound.js';
import { openProject } from '../replay/run-replay-files.js';

export type RecordCommandOptions = CallFilter & {
  last?: number;
  redact?: string[];
  withBinary?: boolean;
  force?: boolean;
};

const MANY = 50;
const MOST = 10_000;

export async function runRecord(
  context: CommandContext,
  name: string | undefined,
  ids: readonly string[],
  { last, redact = [], withBinary = false, force = false, ...filter }: RecordCommandOptions,
): Promise<Outcome> {
  const client = await connect(context);
  const chosen = ids.length > 0 ? ids : await newest(client, filter, last);
  const logged = await readCalls(context, client.call, chosen);
  const [only] = logged;
  if (!only)
    throw new UserError(
      'no-calls',
      chosen.length === 0 ? 'No call matches.' : 'None of these calls can be recorded.',
      'List the calls with: platform logs --calls',
    );
  const project = await openProject(context, undefined);
  const { fileOfRecording, recordCalls, writeRecording } = await import('../../../recordings/index.js');
  const { recording, report } = await recordCalls(logged, {
    project,
    platformVersion,
    schema: '../node_modules/integration-platform/schemas/recording.schema.json',
    redact,
    withBinary,
    signal: context.io.takeInterrupts(),
  });
  const file = fileOfRecording(project.folder, name ?? nameOf(only));
  writeRecording(file, recording, { within: project.folder, replace: force });
  const { printRecorded } = await import('./print-recorded.js');
  printRecorded(context, relativePath(context.cwd, file), { recording, report });
  if (logged.length > MANY)
    context.note(
      `${logged.length} calls are a lot for one recording, which makes reviews and merges harder. Record fewer.`,
    );
  return fine;
}

async function newest(
  client: SessionClient,
  filter: Record<string, unknown>,
  last: number | undefined,
): Promise<string[]> {
  if (last === undefined && Object.keys(filter).length === 0)
    throw new UserError(
      'no-calls-chosen',
      'No calls were selected.',
      'Pass ids from platform logs, --last <n>, or one of its filters such as --since 10m.',
    );
  const lines = await client.call('GET /calls', { ...filter, limit: last ?? MOST });
  return lines.map(({ id }) => id);
}

/** Reads the calls, ordered by start time. */
async function readCalls(context: CommandContext, call: Call, ids: readonly string[]): Promise<LoggedCall[]> {
  const calls: LoggedCall[] = [];
  for (const id of ids) {
    const entry = await call('GET /calls/{call}', { call: id });
    if (!entry.event || entry.outcome === 'running') {
      if (entry.source !== 'script')
        context.note(`Skipped ${id}, because it has no event or is still running.`);
      continue;
    }
    calls.push({
      ...entry,
      outbound: await readOutbound(call, entry),
      requestBody: await call('GET /calls/{call}/request-body', { call: id }).catch(undefinedIfMissing),
    });
  }
  return calls.sort((a, b) => a.time - b.time);
}

function nameOf({ event, id }: LoggedCall): string {
  const { type, componentId, task } = event as {
    type: string;
    componentId?: string;
    task?: { type?: string };
  };
  const words = [type, componentId ?? task?.type ?? id.slice(-6)].join('-');
  return words
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, 60);
}
