import { visible } from '../../../base/escape-control-characters.js';
import { UserError } from '../../../base/user-error.js';
import type { CallFilter } from '../../../contract/basics/call-filters.js';
import type { Call } from '../../../contract/call.js';
import type { LoggedCall } from '../../../emulator/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { readOutbound, undefinedIfMissing } from '../../session/read-outbound.js';
import { openProject } from '../replay/run-replay-files.js';

export type RecordCommandOptions = CallFilter & {
  last?: number;
  redact?: string[];
  keep?: string[];
  keepHeader?: string[];
  withBinary?: boolean;
  force?: boolean;
};

const MOST = 10_000;

export async function runRecord(
  context: CommandContext,
  name: string | undefined,
  ids: readonly string[],
  {
    last,
    redact = [],
    keep = [],
    keepHeader = [],
    withBinary = false,
    force = false,
    ...filter
  }: RecordCommandOptions,
): Promise<Outcome> {
  const client = await connect(context);
  await requireKnownType(filter.type);
  const chosen = ids.length > 0 ? ids : await newest(client, filter, last);
  const logged = await readCalls(context, client.call, chosen);
  if (chosen.length === 0)
    throw new UserError('no-calls', 'No matching calls.', 'List the calls with: platform logs --calls');
  const { settings } = await client.call('GET /overview', {});
  const runtime = settings.runtime?.startsWith('workerd') ? 'workerd' : 'node';
  const project = await openProject(context, runtime, settings.environment);
  const { saveRecording } = await import('../../../recordings/index.js');
  const saved = await saveRecording(logged, {
    project,
    name,
    redact,
    keep,
    keepHeaders: keepHeader.map((header) => header.toLowerCase()),
    withBinary,
    platformVersion,
    force,
    signal: context.io.takeInterrupts(),
  });
  const { printRecorded } = await import('./print-recorded.js');
  printRecorded(context, saved);
  return saved.written ? fine : { kind: 'findings' };
}

/** Throws for an unknown type, because a misspelled type would simply match nothing. */
async function requireKnownType(given: string | undefined): Promise<void> {
  if (given === undefined) return;
  const { eventTypes } = await import('../../../protocol/sample-events.js');
  const name = given.replace(/^-/, '');
  const known: readonly string[] = given.startsWith('-') ? [...eventTypes, 'envelope', 'script'] : eventTypes;
  if (known.includes(name)) return;
  const { hintFor } = await import('../../session/response-hint.js');
  throw new UserError('bad-value', `Unknown type: ${visible(name)}`, hintFor({ given: name, known }));
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
      'Pass ids from platform logs, --last <n>, or a filter such as --since 10m.',
    );
  const lines = await client.call('GET /calls', { ...filter, limit: last ?? MOST });
  return lines.map(({ id }) => id);
}

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
      responseBody: await call('GET /calls/{call}/response-body', { call: id }).catch(undefinedIfMissing),
    });
  }
  return calls;
}
