import { defineCommand, fine } from '../../command.js';
import { connect } from '../../session/connect.js';
import { hiddenSecret } from '../../../protocol/mask-secrets.js';
import type { TextBody } from '../../session/trigger-result.js';

interface ReplayAnswer {
  call: string;
  before: RecordedAnswer;
  after: RecordedAnswer;
  same: boolean;
  masked: boolean;
}

export const replay = defineCommand({
  name: 'replay',
  summary: 'send a recorded request or event to the present code, and compare the answers',
  arguments: [{ syntax: '<id>', description: 'as platform logs prints it' }],
  examples: [
    { command: 'platform replay call_01k', does: 'what has changed in the answer' },
    { command: 'platform replay call_01k --json', does: 'both answers, for a script' },
  ],
  async run(context, [id = '']) {
    const client = await connect(context);
    const answer = await client.send<ReplayAnswer>('POST', `/traffic/${encodeURIComponent(id)}/replay`);
    if (context.json) {
      context.emit(answer);
      return fine;
    }
    const { before, after, same, call, masked } = answer;
    if (same) context.print(`The same answer as before, from version ${after.version} (${call}).`);
    else {
      const { paintDiff } = await import('../../../terminal/paint-diff.js');
      const { renderDiff } = await import('../../../diagnostics/report/render-diff.js');
      const diff = renderDiff('answer', { text: answerText(before) }, { text: answerText(after) });
      context.print(paintDiff(diff, context.style));
    }
    if (masked)
      context.note(`Secrets in the recorded request were hidden, and were sent as ${hiddenSecret}.`);
    return fine;
  },
});

interface RecordedAnswer {
  version: number;
  status: number;
  headers: [name: string, value: string][];
  body: TextBody;
}

/** Differ with every answer, and say nothing. */
const restless = new Set(['date', 'content-length', 'connection', 'keep-alive']);

/** An answer as text that can be compared line by line. */
function answerText({ status, headers, body }: RecordedAnswer): string {
  const lines = headers.filter(([name]) => !restless.has(name)).map(([name, value]) => `${name}: ${value}`);
  return `${[`status ${status}`, ...lines.sort(), '', ...bodyLines(body)].join('\n')}\n`;
}

function bodyLines({ encoding, content }: TextBody): string[] {
  if (encoding === 'base64') return content.match(/.{1,76}/g) ?? [];
  try {
    return JSON.stringify(JSON.parse(content), undefined, 2).split('\n');
  } catch {
    return content.split(/\r?\n/);
  }
}
