import { SourceMap, type SourceMapPayload } from 'node:module';
import { pathToFileURL } from 'node:url';

interface StackOptions {
  /** The bundle, as the process knows it. */
  file: string;
  map: string | undefined;
  /** Files whose frames mean nothing to the author. */
  hidden: string[];
}

/**
 * Replaces places in the bundle (`file:///…/script.mjs:12:5`) by places in the author's files, and takes
 * out the frames below the author's code.
 */
export function createStackMapper({ file, map, hidden }: StackOptions): (text: string) => string {
  const { href } = pathToFileURL(file);
  const places = new RegExp(`(?:${escape(href)}|${escape(file)}):(\\d+)(?::(\\d+))?`, 'g');
  const foreign = [...hidden.flatMap((path) => [path, pathToFileURL(path).href]), 'node:internal/'].map(
    escape,
  );
  // A brace that opens the error's properties stays.
  const frames = new RegExp(
    `\\n +(?:at (?:[^\\n]*[( ])?(?:${foreign.join('|')})|[.]{3} \\d+ lines matching cause)[^\\n]*?(?= \\{\\n|\\n|$)`,
    'g',
  );
  let decoded: SourceMap | undefined;

  const toSource = (place: string, line: string, column = '1'): string => {
    decoded ??= new SourceMap(JSON.parse(map ?? '') as SourceMapPayload);
    const entry = decoded.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry) || entry.originalSource === undefined) return place;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };

  return (text) => {
    if (!text.includes('\n    at ') && !text.includes(file)) return text;
    const own = text.replace(frames, '');
    return map ? own.replace(places, toSource) : own;
  };
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
