import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sourcePath } from '../../base/text/source-path.js';

interface StackOptions {
  /** The bundle's path as the process sees it. */
  file: string;
  map: string | undefined;
  /** Files whose stack frames are omitted because they do not help the author. */
  hidden: string[];
}

/**
 * Replaces positions in the bundle (`file:///…/script.mjs:12:5`) with positions in the author's files, and
 * removes the stack frames below the author's code.
 */
export function createStackMapper({ file, map, hidden }: StackOptions): (text: string) => string {
  const { href } = pathToFileURL(file);
  const places = new RegExp(`(?:${escape(href)}|${escape(file)}):(\\d+)(?::(\\d+))?`, 'g');
  const foreign = [...hidden.flatMap((path) => [path, pathToFileURL(path).href]), 'node:internal/'].map(
    escape,
  );
  // Keeps the opening brace that starts the error's property list.
  const frames = new RegExp(
    `\\n +(?:at (?:[^\\n]*[( ])?(?:${foreign.join('|')})|[.]{3} \\d+ lines matching cause)[^\\n]*?(?= \\{\\n|\\n|$)`,
    'g',
  );
  const bundled = new RegExp(`\\n +at [^\\n]*?${places.source}\\)?(?= \\{\\n|\\n|$)`, 'g');
  let decoded: SourceMap | undefined;

  const find = (line: string, column = '1'): SourceMapping | undefined => {
    decoded ??= new SourceMap(JSON.parse(map ?? '') as SourceMapPayload);
    const entry = decoded.findEntry(Number(line) - 1, Number(column) - 1);
    return 'originalSource' in entry && entry.originalSource !== undefined ? entry : undefined;
  };
  /** Code added by the bundler has no source, or a source that is not a file (`node-module:node:fs`). */
  const isOfFile = (line: string, column?: string): boolean => {
    const { originalSource } = find(line, column) ?? {};
    return originalSource !== undefined && !/^[\w-]{2,}:/.test(originalSource);
  };
  const toSource = (place: string, line: string, column?: string): string => {
    const entry = find(line, column);
    if (!entry) return place;
    return `${sourcePath(entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };

  return (text) => {
    if (!text.includes('\n    at ') && !text.includes(file)) return text;
    const own = text.replace(frames, '');
    if (!map) return own;
    return own
      .replace(bundled, (frame, line: string, column?: string) => (isOfFile(line, column) ? frame : ''))
      .replace(places, toSource);
  };
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
