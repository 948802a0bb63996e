import { defineCommand, fine } from '../../context/command.js';
import { connect } from '../../session/connect.js';
import { noteBrokenBuild } from '../../session/note-broken-build.js';
import { responseText } from '../../../base/text/compare-responses.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';

export const replay = defineCommand({
  name: 'replay',
  summary: 'repeat a recorded call with the current code, and compare the responses',
  arguments: [{ syntax: '<id>', description: 'id printed by platform logs' }],
  examples: [
    { command: 'platform replay call_01k', does: 'show what changed in the response' },
    { command: 'platform replay call_01k --json', does: 'both responses as JSON' },
  ],
  async run(context, [id = '']) {
    const client = await connect(context);
    const answer = await client.call('POST /calls/{call}/replay', { call: id });
    await noteBrokenBuild(client, context);
    if (context.json) {
      context.emit(answer);
      return fine;
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
      context.print(`\n${renderFailure(failure, context).join('\n')}`);
    }
    if (masked)
      context.note(`Secrets in the recorded request are masked, so they were sent as ${hiddenSecret}.`);
    return fine;
  },
});
