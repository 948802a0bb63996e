import { visible } from '../../../base/escape-control-characters.js';
import { isUserError } from '../../../base/user-error.js';
import type { CallProblemGroup } from '../../../contract/routes/calls.js';
import type { FailureReplay } from '../../../contract/routes/recordings.js';
import { wrapText } from '../../../terminal/wrap-text.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { connect, type SessionClient } from '../../session/connect.js';
import { positionOfFailure } from '../../session/render-failure.js';
import { settledVerdict } from '../../session/settled-calls.js';
import { readServerSentEvents } from '../../../base/read-server-sent-events.js';
import type { StreamEvent } from '../logs/logs.js';

export interface ReplayFailedOptions {
  live?: boolean | undefined;
  watch?: boolean | undefined;
}

/** What the output leaves out, because only the console shows it. */
const forConsole = { source: undefined, installation: undefined, failure: undefined, likelyCause: undefined };

type Row = CallProblemGroup & { replay: FailureReplay };

/** Replays the most recent call of each group of failures in the running session. */
export async function runReplayFailed(
  context: CommandContext,
  { live = false, watch = false }: ReplayFailedOptions,
): Promise<Outcome> {
  const client = await connect(context);
  const run = async (): Promise<Outcome> => {
    const { groups } = await client.call('GET /calls/problems', {});
    const failed = groups.filter(({ severity }) => severity === 'error');
    const calls = failed.map(({ call }) => call);
    const replays = live
      ? await sendAgain(client, calls, context)
      : calls.length === 0
        ? []
        : await client.call('POST /failures/replay', { calls });
    const rows = failed.flatMap((group, at) => (replays[at] ? [{ ...group, replay: replays[at] }] : []));
    if (context.json)
      context.emit({
        groups: rows.map(({ replay, ...group }) => ({
          ...group,
          ...forConsole,
          ...replay,
          call: group.call,
        })),
      });
    else context.print(render(rows, context));
    return rows.some(({ replay }) => replay.verdict === 'failing') ? { kind: 'findings' } : fine;
  };
  const first = await run();
  if (!watch) return first;
  const signal = context.io.takeInterrupts();
  context.note('Waiting for the next save. Press Ctrl-C to stop.');
  try {
    await client.follow(signal, async (stream) => {
      for await (const event of readServerSentEvents<StreamEvent>(stream))
        if (event.type === 'build' && event.ok)
          await run().catch((error: unknown) => {
            // The next save may correct it.
            if (!isUserError(error)) throw error;
            context.note(error.message);
          });
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return fine;
}

/** Sends the calls to the running script, whose outbound requests reach the other services. */
async function sendAgain(
  client: SessionClient,
  calls: readonly string[],
  context: CommandContext,
): Promise<FailureReplay[]> {
  const replays: FailureReplay[] = [];
  for (const call of calls) {
    try {
      const sent = await client.call('POST /calls/{call}/replay', { call });
      const { severity, reason, at } = await settledVerdict(client, sent.call, context);
      const failing = severity === 'error' && { ...(reason !== undefined && { reason }), ...(at && { at }) };
      replays.push({ call, verdict: failing ? 'failing' : 'fixed', ...failing });
    } catch (error) {
      if (!isUserError(error)) throw error;
      replays.push({ call, verdict: 'unknown', reason: error.message });
    }
  }
  return replays;
}

function render(rows: readonly Row[], { style, wrapAt }: CommandContext): string {
  if (rows.length === 0) return 'No failed calls.';
  const words = {
    fixed: style.green('fixed        '),
    failing: style.red('still failing'),
    unknown: style.yellow('unknown      '),
  };
  const lines = rows.flatMap(({ reason, at, calls, replay }) => {
    const place = at && positionOfFailure({ message: reason, ...at });
    const now = replay.reason === undefined || replay.reason === reason ? [] : [`now: ${replay.reason}`];
    const changed = replay.before === undefined ? [] : [`- ${replay.before}`, `+ ${replay.after ?? ''}`];
    return [
      `${words[replay.verdict]}  ${visible(reason)}${calls > 1 ? ` (${calls} calls)` : ''}`,
      ...[...(place === undefined ? [] : [`at ${place}`]), ...now, ...changed]
        .flatMap((line) => wrapText(visible(line), wrapAt - 15))
        .map((line) => `               ${style.dim(line)}`),
    ];
  });
  const failing = rows.filter(({ replay }) => replay.verdict === 'failing').length;
  const unknown = rows.filter(({ replay }) => replay.verdict === 'unknown').length;
  const failures = rows.length === 1 ? '1 failure' : `${rows.length} failures`;
  const sum = `Replayed ${failures}: ${rows.length - failing - unknown} fixed, ${failing} still failing${unknown > 0 ? `, ${unknown} unknown` : ''}.`;
  return [
    ...lines,
    '',
    failing > 0 ? style.red(sum) : style.green(sum),
    ...(unknown > 0
      ? [style.dim('To send the requests of unknown ones, run: platform replay --failed --live')]
      : []),
  ].join('\n');
}
