import type { CommandContext, Outcome } from '../../context/command.js';
import { connect } from '../../session/connect.js';
import {
  outcomeOfCalls,
  renderLikelyCause,
  renderVerdict,
  settledVerdict,
} from '../../session/settled-calls.js';
import { noteBrokenBuild } from '../../session/note-broken-build.js';
import { responseText } from '../../../base/text/compare-responses.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';

export async function runReplayCall(
  context: CommandContext,
  id: string,
  { strict }: { strict: boolean | undefined },
): Promise<Outcome> {
  const client = await connect(context);
  const answer = await client.call('POST /calls/{call}/replay', { call: id });
  await noteBrokenBuild(client, context);
  const verdict = await settledVerdict(client, answer.call, context);
  const outcome = outcomeOfCalls([verdict], strict);
  if (context.json) {
    context.emit({ ...answer, ...verdict });
    return outcome;
  }
  const { before, after, same, call, masked, failure } = answer;
  if (same) context.print(`Same response as before, from version ${after.version} (${call}).`);
  else {
    const { paintDiff } = await import('../../../terminal/paint-diff.js');
    const { renderDiff } = await import('../../../diagnostics/report/render-diff.js');
    const diff = renderDiff(
      'response',
      { text: `${responseText(before)}\n` },
      { text: `${responseText(after)}\n` },
    );
    context.print(paintDiff(diff, context.style));
  }
  if (failure) {
    const { renderFailure } = await import('../../session/render-failure.js');
    const cause = renderLikelyCause(verdict, context.width);
    context.print(`\n${[...renderFailure(failure, context), ...cause].join('\n')}`);
  } else if (verdict.severity !== 'none') context.print(renderVerdict(verdict, context).join('\n'));
  if (verdict.next !== undefined) context.print(context.style.dim(`  next: ${verdict.next}`));
  if (masked)
    context.note(`Secrets in the recorded request are masked, so they were sent as ${hiddenSecret}.`);
  return outcome;
}
