import { sourcePath } from '../../base/text/source-path.js';
import { readThrownError } from '../../base/text/thrown-error.js';
import type { LogLine, SourceFrame } from '../../protocol/log-and-outbound-types.js';

/** Number of lines shown before and after the author's line. */
const around = 2;
const longestLine = 400;

/**
 * Adds the surrounding source code to logged errors. The code comes from the script's source map, so it is what was
 * built. The map is parsed when the first error with a stack is logged.
 */
export function createSourceFrames(map: string | undefined): <Line extends LogLine>(line: Line) => Line {
  let texts: SourceTexts | undefined;
  const sourceOf = (path: string): string | undefined =>
    (texts ??= map === undefined ? new Map() : readSources(map)).get(path) ?? undefined;
  return (line) => {
    const frame = line.level === 'error' ? frameOfError(line.text, sourceOf) : undefined;
    return frame ? { ...line, frame } : line;
  };
}

/**
 * Returns the source code around the author's line that an error points to. Returns undefined if the error has no stack or the
 * source is unknown.
 */
export function frameOfError(
  text: string,
  sourceOf: (path: string) => string | undefined,
): SourceFrame | undefined {
  const { position } = readThrownError(text);
  if (!position) return undefined;
  const all = sourceOf(position.path)?.split(/\r?\n/) ?? [];
  if (position.line > all.length) return undefined;
  const firstLine = Math.max(1, position.line - around);
  const lines = all.slice(firstLine - 1, position.line + around).map((line) => line.slice(0, longestLine));
  return { firstLine, lines };
}

type SourceTexts = ReadonlyMap<string, string | null | undefined>;

function readSources(map: string): SourceTexts {
  const { sources, sourcesContent = [] } = JSON.parse(map) as {
    sources: string[];
    sourcesContent?: (string | null)[];
  };
  return new Map(sources.map((source, index) => [sourcePath(source), sourcesContent[index]]));
}
