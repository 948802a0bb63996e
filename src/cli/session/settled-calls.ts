import type { CallLine } from '../../contract/routes/calls.js';
import { wrapText } from '../../terminal/wrap-text.js';
import { fine, type CommandContext, type Outcome } from '../context/command.js';
import type { SessionClient } from './connect.js';
import { positionOfFailure } from './render-failure.js';

/** The problem in a call, as printed by commands. */
export type Verdict = Pick<CallLine, 'severity' | 'reason' | 'at' | 'likelyCause'> & {
  /** The command that shows the call. Undefined if there is no problem. */
  next?: string;
};

export const strictOption = { '--strict': 'treat warnings as errors' };

const pauseMs = 50;
const longestMs = 30_000;
const noteAfterMs = 1000;
/** The number of ids that fit in a URL. */
const mostIds = 300;

/** Reads calls once their `waitUntil` work has settled, because a call can still fail after its response. */
export async function settledCalls(
  client: Pick<SessionClient, 'call'>,
  ids: readonly string[],
  { io, note }: Pick<CommandContext, 'io' | 'note'>,
): Promise<Map<string, CallLine>> {
  const settled = new Map<string, CallLine>();
  const began = io.clock.monotonic();
  const signal = io.takeInterrupts();
  let noted = false;
  for (let waiting = [...new Set(ids)]; waiting.length > 0;) {
    const read: CallLine[] = [];
    for (let at = 0; at < waiting.length; at += mostIds)
      read.push(...(await client.call('GET /calls', { ids: waiting.slice(at, at + mostIds).join(',') })));
    for (const line of read) settled.set(line.id, line);
    waiting = read.filter(({ pending, outcome }) => pending || outcome === 'running').map(({ id }) => id);
    const waited = io.clock.monotonic() - began;
    if (waiting.length === 0) break;
    if (waited > longestMs) {
      note(
        `Background work from ${waiting.join(', ')} is still running. To see its result, run: platform logs`,
      );
      break;
    }
    if (waited > noteAfterMs && !noted) {
      noted = true;
      note('Waiting for promises that the script passed to waitUntil …');
    }
    await io.clock.sleep(pauseMs, signal);
  }
  return settled;
}

export async function settledVerdict(
  client: SessionClient,
  call: string | undefined,
  context: CommandContext,
): Promise<Verdict> {
  if (call === undefined) return verdictOf(undefined);
  return verdictOf((await settledCalls(client, [call], context)).get(call));
}

export const verdictOf = (line: CallLine | undefined): Verdict => ({
  severity: line?.severity ?? 'none',
  ...(line?.reason !== undefined && { reason: line.reason }),
  ...(line?.at && { at: line.at }),
  ...(line?.likelyCause !== undefined && { likelyCause: line.likelyCause }),
  ...(line && line.severity !== 'none' && { next: `platform inspect ${line.id}` }),
});

/** Renders `Likely cause: The secret …` in lines of at most `width` cells. Returns an empty list if the cause is unknown. */
export const renderLikelyCause = ({ likelyCause }: Pick<CallLine, 'likelyCause'>, width: number): string[] =>
  likelyCause === undefined
    ? []
    : wrapText(`Likely cause: ${likelyCause}`, width - 2).map((text) => `  ${text}`);

/**
 * Renders `error waitUntil failed: …`, followed by the position and the likely cause. Returns an empty list if there is no
 * problem.
 */
export function renderVerdict(
  verdict: Verdict,
  { style, width, wrapAt }: Pick<CommandContext, 'style' | 'width' | 'wrapAt'>,
): string[] {
  const { severity, reason = '', at } = verdict;
  if (severity === 'none') return [];
  const paint = severity === 'error' ? style.red : style.yellow;
  const position = at && positionOfFailure({ message: reason, ...at });
  return [
    `  ${paint(severity)} ${wrapText(reason, wrapAt - 2, severity.length + 1).join('\n  ')}`,
    ...(position === undefined ? [] : [`    at ${position}`]),
    ...renderLikelyCause(verdict, width),
  ];
}

/** Calls with an error count as findings. With `--strict`, calls with a warning count as well. */
export const outcomeOfCalls = (verdicts: Iterable<Verdict>, strict = false): Outcome =>
  [...verdicts].some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
    ? { kind: 'findings' }
    : fine;
