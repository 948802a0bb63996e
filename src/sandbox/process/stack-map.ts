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
  let find: ((line: number, column: number) => Place | undefined) | undefined;

  const placeOf = (line: string, column = '1'): Place | undefined =>
    (find ??= createFinder(map ?? ''))(Number(line) - 1, Number(column) - 1);
  /** Code added by the bundler has no source, or a source that is not a file (`node-module:node:fs`). */
  const isOfFile = (line: string, column?: string): boolean => {
    const { source } = placeOf(line, column) ?? {};
    return source !== undefined && !/^[\w-]{2,}:/.test(source);
  };
  const toSource = (place: string, line: string, column?: string): string => {
    const found = placeOf(line, column);
    return found ? `${sourcePath(found.source)}:${found.line + 1}:${found.column + 1}` : place;
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

interface Place {
  source: string;
  line: number;
  column: number;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const comma = ','.charCodeAt(0);
const semicolon = ';'.charCodeAt(0);

/**
 * Decodes the map into numbers. Node's `SourceMap` makes an object of each mapping, which takes three times as long, and some
 * scripts log an error for every event that they do not handle.
 */
function createFinder(map: string): (line: number, column: number) => Place | undefined {
  const { sources, mappings } = JSON.parse(map) as { sources: string[]; mappings: string };
  /** For each line, four numbers per mapping: the column in the bundle, the source, and the line and column there. */
  const lines: number[][] = [[]];
  const values = new Uint8Array(128);
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value;
  let [column, source, sourceLine, sourceColumn] = [0, 0, 0, 0];
  let [count, value, shift] = [0, 0, 0];
  const endMapping = (): void => {
    if (count > 0) lines.at(-1)?.push(column, count > 1 ? source : -1, sourceLine, sourceColumn);
    count = 0;
  };
  for (let at = 0; at < mappings.length; at++) {
    const code = mappings.charCodeAt(at);
    if (code === comma) {
      endMapping();
    } else if (code === semicolon) {
      endMapping();
      lines.push([]);
      column = 0;
    } else {
      const digit = values[code] ?? 0;
      value |= (digit & 31) << shift;
      shift += 5;
      if (digit & 32) continue;
      const change = value & 1 ? -(value >> 1) : value >> 1;
      if (count === 0) column += change;
      else if (count === 1) source += change;
      else if (count === 2) sourceLine += change;
      else if (count === 3) sourceColumn += change;
      count++;
      value = shift = 0;
    }
  }
  endMapping();
  return (wantedLine, wantedColumn) => {
    for (let line = wantedLine; line >= 0; line--) {
      const mapped = lines[line] ?? [];
      for (let at = mapped.length - 4; at >= 0; at -= 4) {
        if (line === wantedLine && (mapped[at] ?? 0) > wantedColumn) continue;
        const name = sources[mapped[at + 1] ?? -1];
        return name === undefined
          ? undefined
          : { source: name, line: mapped[at + 2] ?? 0, column: mapped[at + 3] ?? 0 };
      }
    }
    return undefined;
  };
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
