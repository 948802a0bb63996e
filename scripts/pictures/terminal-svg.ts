import { readAnsi, type Color, type Run } from './read-ansi.js';

export interface TerminalTheme {
  background: string;
  border: string;
  text: string;
  quiet: string;
  colors: Record<Color, string>;
}

export const themes: Record<'light' | 'dark', TerminalTheme> = {
  light: {
    background: '#ffffff',
    border: '#d0d7de',
    text: '#1f2328',
    quiet: '#6e7781',
    colors: { red: '#cf222e', green: '#116329', yellow: '#9a6700', blue: '#0969da', cyan: '#1b7c83' },
  },
  dark: {
    background: '#0d1117',
    border: '#30363d',
    text: '#e6edf3',
    quiet: '#8b949e',
    colors: { red: '#ff7b72', green: '#3fb950', yellow: '#d29922', blue: '#58a6ff', cyan: '#39c5cf' },
  },
};

const cell = { width: 8, height: 19 };
const padding = 20;
const fonts = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** Printed output with its ANSI colours as an SVG picture of a terminal. */
export function drawTerminal(command: string, output: string, theme: TerminalTheme): string {
  const lines = readAnsi(`$ ${command}\n${output.trimEnd()}`);
  const columns = Math.max(...lines.flat().map(({ column, text }) => column + text.length));
  const width = columns * cell.width + 2 * padding;
  const height = lines.length * cell.height + 2 * padding;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${theme.background}" stroke="${theme.border}"/>`,
    `<g font-family='${fonts}' font-size="13" xml:space="preserve">`,
    ...lines.flatMap((runs, line) => runs.map((run) => drawRun(run, line, theme))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Its width is given, because the font of the reader is not known. */
function drawRun({ text, column, bold, dim, color }: Run, line: number, theme: TerminalTheme): string {
  const x = padding + column * cell.width;
  const y = padding + line * cell.height + 14;
  const fill = color ? theme.colors[color] : dim ? theme.quiet : theme.text;
  const weight = bold ? ' font-weight="bold"' : '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x}" y="${y}" fill="${fill}"${weight} textLength="${text.length * cell.width}" lengthAdjust="spacingAndGlyphs">${escaped}</text>`;
}
