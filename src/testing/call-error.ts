import { relative, sep } from 'node:path';
import { failureOf } from '../emulator/index.js';
import type { TrafficEntry } from '../store/calls/call-log.js';

/** In the process of the test, stacks have whole paths. */
const wholePath = /(?:file:\/\/)?(\/[^\s():]+)(?=:\d+:\d+)/g;

/** Why a call failed, with the author's file and line: `TypeError: … (src/index.ts:12:3)`. */
export function errorOfEntry(entry: TrafficEntry | undefined, folder: string): string | undefined {
  if (!entry) return undefined;
  const inFolder = (path: string): string => relative(folder, path).split(sep).join('/');
  const logs = entry.logs.map((line) => ({
    ...line,
    text: line.text.replaceAll(wholePath, (_, path: string) => inFolder(path)),
  }));
  const failure = failureOf({ ...entry, logs });
  if (!failure) return undefined;
  const { message, file, line, column } = failure;
  return file === undefined ? message : `${message} (${file}:${line}:${column})`;
}
