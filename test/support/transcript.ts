import { readFileSync, writeFileSync } from 'node:fs';

export interface Step {
  /** What stands behind `$ `, on one line. */
  command: string;
  output: string;
}

const block = /```console\n([\s\S]*?)```/g;

/** The commands and outputs in the `console` blocks of a Markdown text. */
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

/** Puts the outputs of a new run where the former ones stood. */
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

/** With `UPDATE_TRANSCRIPTS=1` the file is rewritten instead. */
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
