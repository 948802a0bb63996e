import { visible } from '../../../base/escape-control-characters.js';
import { createLineIndex } from '../../../manifest/yaml/line-starts.js';

/** Something that the author must decide or check, and its position. */
export interface OpenDecision {
  /** Path relative to the new folder. */
  file: string;
  /** Line number, starting at 1. Absent if the decision applies to the whole file. */
  line?: number;
  message: string;
}

/** A decision about a file that the caller already knows. */
export type Note = Omit<OpenDecision, 'file'>;

export interface Rewritten {
  text: string;
  notes: Note[];
}

export function lineOf(text: string, part: string): number | undefined {
  const offset = text.indexOf(part);
  return offset < 0 ? undefined : createLineIndex(text).position(offset).line;
}

export function noteAt(text: string, part: string, message: string): Note {
  const line = lineOf(text, part);
  return line === undefined ? { message } : { line, message };
}

/** Creates one note for each line that matches the pattern. Matches without a message are omitted. */
export function notesAt(
  text: string,
  pattern: RegExp,
  message: (match: RegExpExecArray) => string | undefined,
): Required<Note>[] {
  const lines = createLineIndex(text);
  const notes = [...text.matchAll(pattern)].flatMap((match) => {
    const found = message(match);
    return found === undefined ? [] : [{ line: lines.position(match.index).line, message: found }];
  });
  return [...new Map(notes.map((note) => [`${note.line}:${note.message}`, note])).values()];
}

/** Line breaks are escaped, because a file name can contain them. */
export const renderDecision = ({ file, line, message }: OpenDecision): string =>
  visible(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
