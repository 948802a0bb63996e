import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { renderCodeFrame, toFrameSource } from '../../diagnostics/code-frame.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import type { Style } from '../../terminal/style.js';

/** The lines around the first stack frame in the author's code. */
export function authorFrame(
  stack: string,
  { cwd, style, width }: { cwd: string; style: Style; width: number },
): string[] {
  const { place } = readThrownError(stack);
  if (!place) return [];
  const text = readText(resolve(cwd, place.path));
  if (text === undefined) return [];
  const { line, column } = place;
  const range = { start: { line, column }, end: { line, column: column + 1 } };
  return renderCodeFrame(toFrameSource({ text }), range, { style, severity: 'error', width: width - 18 });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
