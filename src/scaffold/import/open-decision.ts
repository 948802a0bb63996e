import { visible } from '../../base/escape-control-characters.js';

/** What the author has to decide or to check after the move, and where. */
export interface OpenDecision {
  /** Relative to the new folder. */
  file: string;
  /** From 1; absent if the whole file is meant. */
  line?: number;
  message: string;
}

/** A decision in a file that the caller knows. */
export type Note = Omit<OpenDecision, 'file'>;

/** A file in its new form. */
export interface Rewritten {
  text: string;
  notes: Note[];
}

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The line that first holds this text. */
export function lineOf(text: string, part: string): number | undefined {
  const offset = text.indexOf(part);
  return offset < 0 ? undefined : lineAt(text, offset);
}

/** A note on the line of this text, or on the file if the text is not in it. */
export function noteAt(text: string, part: string, message: string): Note {
  const line = lineOf(text, part);
  return line === undefined ? { message } : { line, message };
}

/** Every line on which the pattern matches, once each. */
export const notesAt = (text: string, pattern: RegExp, message: (match: RegExpExecArray) => string): Note[] =>
  unique(
    [...text.matchAll(pattern)].map((match) => ({
      line: lineAt(text, match.index),
      message: message(match),
    })),
  );

const unique = (notes: Note[]): Note[] => [
  ...new Map(notes.map((note) => [`${note.line}:${note.message}`, note])).values(),
];

/** One line: the name of a file may have line breaks in it. */
export const renderDecision = ({ file, line, message }: OpenDecision): string =>
  visible(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
