import { nearest } from '../base/did-you-mean.js';
import type { Diagnostic, Range, Severity } from './model/diagnostic.js';

/** A `platform-ignore <code>: <reason>` comment in a manifest or source file. */
export interface IgnoreComment {
  code: string;
  reason: string;
  line: number;
  /** The range of the comment itself. */
  range: Range;
}

/** Matches the text between the delimiters of an ignore comment. */
export const ignoreText = /^\s*platform-ignore(?:\s+([^\s:]+))?(?:\s*:\s*(?!\s)(\S.*?\S|\S|))?\s*$/;

interface IgnoreOptions {
  /** Comments, keyed by the absolute path of their file. */
  comments: ReadonlyMap<string, readonly IgnoreComment[]>;
  /** All codes of one kind, such as those that start with `manifest/`. */
  codes: readonly string[];
  /** Returns whether a code cannot be ignored. For some codes, this depends on the severity. */
  isLocked(code: string, severity?: Severity): boolean;
}

/**
 * If a code belongs to a separate check, returns the name of that check. Only that check knows whether a comment is used,
 * because publish-check may report problems in any file, and faults depend on the recorded calls.
 */
const separateRoomOf = (code: string): string | undefined =>
  ['publish', 'fault'].find((room) => code.startsWith(`${room}/`));

export type Ignores = ReturnType<typeof createIgnores>;

export function createIgnores({ comments, codes, isLocked }: IgnoreOptions) {
  const used = new Set<IgnoreComment>();
  const [first = ''] = codes;
  const room = first.split('/')[0] ?? '';
  return {
    /** Returns the same findings. If a comment ignores a finding, its reason is added to the finding. */
    apply: (found: readonly Diagnostic[]) =>
      found.map((diagnostic) => {
        const by = (comments.get(diagnostic.file) ?? []).filter(
          ({ code, line }) =>
            code === diagnostic.code &&
            !isLocked(code, diagnostic.severity) &&
            line === diagnostic.range?.start.line,
        );
        for (const comment of by) used.add(comment);
        return by[0] ? { ...diagnostic, ignored: by[0].reason } : diagnostic;
      }),
    /**
     * Returns a problem for each comment that ignores nothing or gives no reason. Must not be called before `apply` has been
     * called for all findings.
     */
    problems: () =>
      Array.from(comments, ([file, list]) =>
        list
          .filter(({ code }) => separateRoomOf(code) === separateRoomOf(first))
          .flatMap((comment) => {
            const problem = problemWith(comment, { used: used.has(comment), codes, isLocked });
            if (!problem) return [];
            const { kind, ...words } = problem;
            return [
              { code: `${room}/${kind}`, severity: 'warning' as const, ...words, file, range: comment.range },
            ];
          }),
      ).flat(),
  };
}

type Problem = { kind: 'unused-ignore' | 'ignore-without-reason'; message: string; help: string };

function problemWith(
  { code, reason }: IgnoreComment,
  { used, codes, isLocked }: Pick<IgnoreOptions, 'codes' | 'isLocked'> & { used: boolean },
): Problem | undefined {
  const unused = (message: string, help: string): Problem => ({ kind: 'unused-ignore', message, help });
  if (code === '')
    return unused('The comment does not specify a rule.', 'Write `platform-ignore <rule>: <reason>`.');
  if (!codes.includes(code)) {
    const near = nearest(code, codes);
    return unused(
      `Unknown rule: ${code}.`,
      near ? `Did you mean ${near}?` : 'List all rules with: platform rules',
    );
  }
  if (isLocked(code)) return unused(`${code} cannot be ignored.`, 'Fix the problem, and remove the comment.');
  if (!used)
    return unused(
      `Nothing to ignore here: no ${code} problem was found.`,
      'Remove the comment, or put it on the line of the problem or the line above.',
    );
  if (reason !== '') return undefined;
  return {
    kind: 'ignore-without-reason',
    message: `The comment does not give a reason for ignoring ${code}.`,
    help: `Write \`platform-ignore ${code}: <reason>\`.`,
  };
}
