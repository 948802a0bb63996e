import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderCodeFrame, toFrameSource } from '../../diagnostics/code-frame.js';
import type { Style } from '../../terminal/style.js';

/** A place in a stack, such as `at action (src/counter.tsx:12:7)`. */
const place = /(?:\(|at )((?:[A-Za-z]:)?[^():\n]+\.(?:tsx?|jsx?|mjs|cjs)):(\d+):(\d+)\)?/g;

/** The lines around the first place of a stack that is the author's own. */
export function authorFrame(
  stack: string,
  { cwd, style, width }: { cwd: string; style: Style; width: number },
): string[] {
  for (const [, file = '', line, column] of stack.matchAll(place)) {
    if (file.includes('node_modules') || file.startsWith('node:')) continue;
    const text = readText(resolve(cwd, file.replace(/^file:\/\//, '')));
    if (text === undefined) continue;
    const start = { line: Number(line), column: Number(column) };
    const range = { start, end: { line: start.line, column: start.column + 1 } };
    return renderCodeFrame(toFrameSource({ text }), range, { style, severity: 'error', width: width - 18 });
  }
  return [];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
