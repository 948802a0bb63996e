/** The file and position in a stack frame. Line and column numbers start at 1. */
export interface StackFrame {
  path: string;
  line: number;
  column: number;
}

/** The last frame ends with an opening brace if the error has a cause or other properties. */
const frame = /^\s+at (.+?):(\d+):(\d+)(\)?)(?: \{)?\r?$/;

/**
 * Parses a line such as `at render (src/index.tsx:6:11)` or `at async src/index.tsx:6:11`. Names and paths may
 * contain spaces and parentheses.
 */
export function readStackFrame(text: string): StackFrame | undefined {
  const [, before = '', line, column, bracket] = frame.exec(text) ?? [];
  const path = bracket === ')' ? afterOpenBracket(before) : before.replace(/^async /, '');
  return path ? { path, line: Number(line), column: Number(column) } : undefined;
}

/** Returns the text after the last unclosed parenthesis. */
function afterOpenBracket(text: string): string | undefined {
  let closed = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === ')') closed += 1;
    if (text[at] !== '(') continue;
    if (closed === 0) return text.slice(at + 1);
    closed -= 1;
  }
  return undefined;
}

export const mapFramePaths = (text: string, change: (path: string) => string): string =>
  text
    .split('\n')
    .map((line) => {
      const path = readStackFrame(line)?.path;
      if (path === undefined) return line;
      const at = line.lastIndexOf(path);
      return line.slice(0, at) + change(path) + line.slice(at + path.length);
    })
    .join('\n');
