import type { Diagnostic } from '../../../diagnostics/index.js';
import { parseManifest } from '../../../manifest/index.js';
import type { Rewritten } from '../model/open-decision.js';

/**
 * Comments out everything that this platform does not support, so that the rest works. It first tries to comment out
 * everything together, because each attempt parses the whole manifest.
 */
export function setUnknownAside(text: string): Rewritten {
  const found = parseManifest(text)
    .diagnostics.filter(({ code, severity, fix }) => code in asides && severity === 'error' && !fix)
    .toReversed();
  const together = setAside({ text, notes: [] }, found);
  if (errorsIn(together.text) <= errorsIn(text) - together.notes.length) return together;
  if (found.length > mostAlone) return { text, notes: [] };
  return found.reduce<Rewritten>(
    (before, diagnostic) => {
      const after = setAside(before, [diagnostic]);
      return errorsIn(after.text) < errorsIn(before.text) ? after : before;
    },
    { text, notes: [] },
  );
}

const mostAlone = 20;

function setAside(before: Rewritten, found: readonly Diagnostic[]): Rewritten {
  const lines = before.text.split('\n');
  const notes = [...before.notes];
  for (const diagnostic of found) {
    const line = diagnostic.range?.start.line ?? 0;
    const changed = asides[diagnostic.code]?.(lines[line - 1] ?? '', diagnostic);
    if (!changed) continue;
    lines[line - 1] = changed.line;
    notes.push({ line, message: `${diagnostic.message} ${changed.note}` });
  }
  return {
    text: withEmptyList(lines.join('\n')),
    notes: notes.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
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
          note: `This key was renamed to x-${key}, which is ignored.`,
        };
  },
};

/** If every item of a list has been commented out, the list must be written as empty. */
const withEmptyList = (text: string): string =>
  text.replace(
    /^([ \t]*(?:scopes|required):)[ \t]*(?=(?:\r?\n[ \t]*# - .*)+(?!\r?\n[ \t]*(?:# )?- )(?:\r?\n|$))/gm,
    '$1 []',
  );

const errorsIn = (text: string): number =>
  parseManifest(text).diagnostics.filter(({ severity }) => severity === 'error').length;
