import { visible } from '../../../base/escape-control-characters.js';
import { createLineIndex } from '../../../manifest/yaml/line-starts.js';

/** Something the author must decide or check, with its position. */
export interface OpenDecision {
  /** Path relative to the new folder. */
  file: string;
  /** Line number, from 1. Absent if it applies to the whole file. */
  line?: number;
  message: string;
}

/** A decision about a file known to the caller. */
export type Note = Omit<OpenDecision, 'file'>;

/** A rewritten file. */
export interface Rewritten {
  text: string;
  notes: Note[];
}

/** Returns the first line that contains this text. */
export function lineOf(text: string, part: string): number | undefined {
  const offset = text.indexOf(part);
  return offset < 0 ? undefined : createLineIndex(text).position(offset).line;
}

/** Creates a note on the line that contains this text, or on the whole file. */
export function noteAt(text: string, part: string, message: string): Note {
  const line = lineOf(text, part);
  return line === undefined ? { message } : { line, message };
}

/** Creates one note per line that matches the pattern. Omits matches without a message. */
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

/** Escapes line breaks, which a file name can contain. */
export const renderDecision = ({ file, line, message }: OpenDecision): string =>
  visible(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
