import { readFileSync, writeFileSync } from 'node:fs';

export interface Step {
  /** The text after `$ `, on one line. */
  command: string;
  output: string;
}

const block = /```console\n([\s\S]*?)```/g;

/** Returns the commands and outputs from the `console` blocks in Markdown. */
function readTranscript(markdown: string): Step[] {
  return [...markdown.matchAll(block)].flatMap(([, body = '']) =>
    body
      .split(/^\$ /m)
      .filter((piece) => piece.trim())
      .map((piece) => {
        const end = piece.indexOf('\n');
        return { command: piece.slice(0, end), output: piece.slice(end + 1) };
      }),
  );
}

/** Replaces the previous outputs with those of a new run. */
function writeTranscript(markdown: string, steps: Step[]): string {
  let next = 0;
  return markdown.replaceAll(block, (_, body: string) => {
    const count = body.split(/^\$ /m).filter((piece) => piece.trim()).length;
    const text = steps
      .slice(next, next + count)
      .map(({ command, output }) => `$ ${command}\n${output}`)
      .join('');
    next += count;
    return `\`\`\`console\n${text}\`\`\``;
  });
}

/** Runs the commands in a transcript. With `UPDATE_TRANSCRIPTS=1`, it rewrites the file with the actual outputs. */
export async function replay(
  file: URL,
  run: (command: string) => Promise<string>,
): Promise<{ expected: string; actual: string }> {
  const expected = readFileSync(file, 'utf8');
  const steps: Step[] = [];
  for (const { command } of readTranscript(expected)) steps.push({ command, output: await run(command) });
  const actual = writeTranscript(expected, steps);
  if (process.env['UPDATE_TRANSCRIPTS'] && actual !== expected) writeFileSync(file, actual);
  return { expected: process.env['UPDATE_TRANSCRIPTS'] ? actual : expected, actual };
}
