import { Composer, Lexer, type ParsedNode, Parser, type YAMLError } from 'yaml';
import { syntaxProblem } from './syntax-problem.js';
import type { Problem } from './tree.js';

const maxDepth = 64;
/** The maximum number of lexemes. Real manifests have a few thousand at most. */
const maxLexemes = 30_000;

interface Composed {
  contents?: ParsedNode | null;
  problem?: Problem;
}

/**
 * Runs the library with limits and stops at the first error. Otherwise, deep nesting could crash the process, and a hundred
 * thousand errors could exhaust its memory.
 */
export function composeDocument(text: string): Composed {
  const parser = new Parser();
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  stopAtFirstMistake(composer);
  let documents = 0;
  const take = (tokens: ReturnType<Parser['next']>): Problem | undefined => {
    for (const token of tokens) {
      if (token.type === 'directive') return directiveProblem(token.offset, token.source);
      if (token.type === 'document' && ++documents > 1) return secondDocumentProblem(token.offset, text);
      for (const _ of composer.next(token));
    }
    return undefined;
  };
  try {
    let lexemes = 0;
    for (const lexeme of new Lexer().lex(text)) {
      const problem = take(parser.next(lexeme));
      if (problem) return { problem };
      if (parser.stack.length > maxDepth) return { problem: depthProblem(parser.offset, text) };
      if (++lexemes > maxLexemes) return { problem: partsProblem(parser.offset) };
    }
    const problem = take(parser.end());
    if (problem) return { problem };
    const [document] = composer.end(true, text.length);
    const [error] = document?.errors ?? [];
    return error ? { problem: syntaxProblem(error, text) } : { contents: document?.contents ?? null };
  } catch (stop) {
    if (stop instanceof Mistake) return { problem: syntaxProblem(stop.error, text) };
    throw stop;
  }
}

/** Thrown inside the library to make it stop. */
class Mistake extends Error {
  readonly error: Pick<YAMLError, 'code' | 'message' | 'pos'>;

  constructor(error: Mistake['error']) {
    super(error.message);
    this.error = error;
  }
}

type ErrorPosition = number | [number, number, ...unknown[]] | { offset: number; source?: unknown };

/**
 * The library collects errors through this private method. One megabyte of invalid escape sequences causes 500,000 errors.
 * There is no option to stop at the first error, so this override throws. It depends on the pinned version of the library.
 * The library may catch the exception itself.
 */
function stopAtFirstMistake(composer: Composer): void {
  let first: Mistake | undefined;
  const onError = (position: ErrorPosition, code: YAMLError['code'], message: string): never => {
    first ??= new Mistake({ code, message, pos: positionOf(position) });
    throw first;
  };
  Object.assign(composer, { onError });
}

function positionOf(position: ErrorPosition): [number, number] {
  if (typeof position === 'number') return [position, position + 1];
  if (Array.isArray(position)) return [position[0], position[1]];
  const length = typeof position.source === 'string' ? position.source.length : 1;
  return [position.offset, position.offset + length];
}

function directiveProblem(offset: number, source: string): Problem {
  return {
    code: 'manifest/syntax',
    message: 'A manifest cannot have YAML directives.',
    help: 'Remove the line that begins with %.',
    start: offset,
    end: offset + source.length,
  };
}

function secondDocumentProblem(offset: number, text: string): Problem {
  return {
    code: 'manifest/several-documents',
    message: 'The file contains more than one YAML document.',
    help: 'A manifest must be a single document. Remove the --- line and everything that belongs to another file.',
    start: offset,
    end: Math.min(offset + 3, text.length),
  };
}

const partsProblem = (offset: number): Problem => ({
  code: 'manifest/too-large',
  message: `The file contains more than ${maxLexemes} YAML tokens.`,
  help: 'Check that this is the right file. Long descriptions belong in documentation.',
  start: offset,
  end: offset,
});

function depthProblem(offset: number, text: string): Problem {
  return {
    code: 'manifest/too-deep',
    message: `The document is nested more than ${maxDepth} levels deep.`,
    help: 'Reduce the nesting. No manifest field needs more than ten levels.',
    start: Math.min(offset, Math.max(0, text.length - 1)),
    end: Math.min(offset + 1, text.length),
  };
}
