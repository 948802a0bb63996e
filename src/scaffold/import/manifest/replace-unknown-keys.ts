import type { Diagnostic } from '../../../diagnostics/index.js';
import { parseManifest } from '../../../manifest/index.js';
import type { Rewritten } from '../open-decision.js';

/** Sets aside everything that this platform does not know, so that the rest works. */
export function setUnknownAside(text: string): Rewritten {
  const found = parseManifest(text).diagnostics.filter(({ code, fix }) => code in asides && !fix);
  return found.toReversed().reduce<Rewritten>(
    (before, diagnostic) => {
      const line = diagnostic.range?.start.line ?? 0;
      const lines = before.text.split('\n');
      const changed = asides[diagnostic.code]?.(lines[line - 1] ?? '', diagnostic);
      if (!changed) return before;
      const commented = lines.with(line - 1, changed.line).join('\n');
      const after = [commented, withEmptyList(commented)].find(
        (candidate) => errorsIn(candidate) < errorsIn(before.text),
      );
      if (after === undefined) return before;
      return {
        text: after,
        notes: [{ line, message: `${diagnostic.message} ${changed.note}` }, ...before.notes],
      };
    },
    { text, notes: [] },
  );
}

type Aside = (line: string, diagnostic: Diagnostic) => { line: string; note: string } | undefined;

const commentOut: Aside = (line) => {
  const item = /^(\s*)(- .*)$/s.exec(line);
  return item ? { line: `${item[1]}# ${item[2]}`, note: 'This line is now a comment.' } : undefined;
};

const asides: Readonly<Record<string, Aside>> = {
  'manifest/unknown-scope': commentOut,
  'manifest/unknown-required': commentOut,
  'manifest/unknown-key': (line, { range }) => {
    const column = (range?.start.column ?? 1) - 1;
    const key = /^[\w-]+(?=\s*:)/.exec(line.slice(column))?.[0];
    return key === undefined
      ? undefined
      : {
          line: `${line.slice(0, column)}x-${line.slice(column)}`,
          note: `This key is now x-${key}, which nothing reads.`,
        };
  },
};

/** If every item of a list became a comment, the list has to be written as empty. */
const withEmptyList = (text: string): string =>
  text.replace(/^([ \t]*(?:scopes|required):)[ \t]*(?=\r?\n[ \t]*# - )/gm, '$1 []');

const errorsIn = (text: string): number =>
  parseManifest(text).diagnostics.filter(({ severity }) => severity === 'error').length;
