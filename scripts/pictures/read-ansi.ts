const colors = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 36: 'cyan' } as const;

export type Color = (typeof colors)[keyof typeof colors];

/** Text of one look, without spaces at its ends. */
export interface Run {
  text: string;
  column: number;
  bold: boolean;
  dim: boolean;
  color: Color | undefined;
}

type Look = Pick<Run, 'bold' | 'dim' | 'color'>;

const plain: Look = { bold: false, dim: false, color: undefined };

// eslint-disable-next-line no-control-regex
const escape = /\u001B\[(\d*)m/;

/** The lines of a terminal, each as runs of one look. */
export function readAnsi(output: string): Run[][] {
  let look = plain;
  return output.split('\n').map((line) => {
    const runs: Run[] = [];
    let column = 0;
    // Split by a pattern with a group, every second piece is a code.
    for (const [index, piece] of line.split(escape).entries()) {
      if (index % 2 === 1) look = change(look, Number(piece));
      else {
        for (const { 0: text, index: at } of piece.matchAll(/\S+(?: \S+)*/g))
          runs.push({ ...look, text, column: column + at });
        column += piece.length;
      }
    }
    return runs;
  });
}

function change(look: Look, code: number): Look {
  if (code === 0) return plain;
  if (code === 1) return { ...look, bold: true };
  if (code === 2) return { ...look, dim: true };
  if (code === 22) return { ...look, bold: false, dim: false };
  if (code === 39) return { ...look, color: undefined };
  const color = Object.entries(colors).find(([number]) => Number(number) === code)?.[1];
  if (!color) throw new Error(`The pictures do not know the ANSI code ${code}. Add it to read-ansi.ts.`);
  return { ...look, color };
}
