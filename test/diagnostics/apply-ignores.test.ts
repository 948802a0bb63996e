import { expect, it } from 'vitest';
import { createIgnores, ignoreText, type IgnoreComment } from '../../src/diagnostics/apply-ignores.js';
import type { Diagnostic } from '../../src/diagnostics/model/diagnostic.js';

const range = (line: number): Diagnostic['range'] & {} => ({
  start: { line, column: 1 },
  end: { line, column: 9 },
});
const comment = (code: string, line: number, reason = 'known'): IgnoreComment => ({
  code,
  reason,
  line,
  range: range(line),
});
const problem = (code: string, line: number, file = '/p/a.yaml'): Diagnostic => ({
  code,
  severity: 'error',
  message: 'Wrong.',
  file,
  range: range(line),
});

const codes = ['manifest/summary-length', 'manifest/unknown-key', 'manifest/syntax'];
const ignores = (comments: IgnoreComment[], of = codes): ReturnType<typeof createIgnores> =>
  createIgnores({
    comments: new Map([['/p/a.yaml', comments]]),
    codes: of,
    isLocked: (code) => code.endsWith('/syntax'),
  });

const { range: _, ...wholeFile } = problem('manifest/unknown-key', 1);

it('ignores a problem if a comment on its line contains its code and a reason', () => {
  const here = problem('manifest/unknown-key', 3);
  expect(ignores([comment('manifest/unknown-key', 3)]).apply([here])).toEqual([
    { ...here, ignored: 'known' },
  ]);
});

it.each([
  ['another code', comment('manifest/summary-length', 3), problem('manifest/unknown-key', 3)],
  ['another line', comment('manifest/unknown-key', 4), problem('manifest/unknown-key', 3)],
  ['another file', comment('manifest/unknown-key', 3), problem('manifest/unknown-key', 3, '/p/b.yaml')],
  ['a code that is never ignored', comment('manifest/syntax', 3), problem('manifest/syntax', 3)],
  ['a problem with the whole file', comment('manifest/unknown-key', 1), wholeFile],
])('does not ignore a problem because of a comment for %s', (_, by, found) => {
  expect(ignores([by]).apply([found])).toEqual([found]);
});

it('uses the first of two comments and counts both as used', () => {
  const both = ignores([
    comment('manifest/unknown-key', 3, 'first'),
    comment('manifest/unknown-key', 3, 'second'),
  ]);
  expect(both.apply([problem('manifest/unknown-key', 3)])[0]?.ignored).toBe('first');
  expect(both.problems()).toEqual([]);
});

const reported = (by: IgnoreComment, found: Diagnostic[] = []): object[] => {
  const all = ignores([by]);
  all.apply(found);
  return all.problems();
};
const at = { file: '/p/a.yaml', range: range(3), severity: 'warning' };

it.each([
  [
    'no code',
    comment('', 3),
    'The comment does not specify a rule.',
    'Write `platform-ignore <rule>: <reason>`.',
  ],
  [
    'its code is misspelled',
    comment('manifest/unknown-kye', 3),
    'Unknown rule: manifest/unknown-kye.',
    'Did you mean manifest/unknown-key?',
  ],
  ['its code is unknown', comment('xyz', 3), 'Unknown rule: xyz.', 'List all rules with: platform rules'],
  [
    'its code cannot be ignored',
    comment('manifest/syntax', 3),
    'manifest/syntax cannot be ignored.',
    'Fix the problem, and remove the comment.',
  ],
  [
    'there is nothing to ignore',
    comment('manifest/unknown-key', 3),
    'Nothing to ignore here: no manifest/unknown-key problem was found.',
    'Remove the comment, or put it on the line of the problem or the line above.',
  ],
])('reports a comment if %s', (_, by, message, help) => {
  expect(reported(by)).toEqual([{ ...at, code: 'manifest/unused-ignore', message, help }]);
});

it('reports a comment without a reason, even if it is used', () => {
  const by = comment('manifest/unknown-key', 3, '');
  expect(reported(by, [problem('manifest/unknown-key', 3)])).toEqual([
    {
      ...at,
      code: 'manifest/ignore-without-reason',
      message: 'The comment does not give a reason for ignoring manifest/unknown-key.',
      help: 'Write `platform-ignore manifest/unknown-key: <reason>`.',
    },
  ]);
});

it('reports an unused comment only in the check that it belongs to', () => {
  const ofPublish = comment('publish/icon', 3);
  expect(ignores([ofPublish]).problems()).toEqual([]);
  expect(ignores([ofPublish], ['publish/icon']).problems()).toMatchObject([
    { code: 'publish/unused-ignore' },
  ]);
  expect(ignores([comment('manifest/unknown-key', 3)], ['publish/icon']).problems()).toEqual([]);
  expect(ignores([ofPublish], []).problems()).toEqual([]);
});

it.each([
  [' platform-ignore manifest/unknown-key: it is new ', 'manifest/unknown-key', 'it is new'],
  ['platform-ignore manifest/unknown-key', 'manifest/unknown-key', undefined],
  ['platform-ignore manifest/unknown-key :late colon', 'manifest/unknown-key', 'late colon'],
  ['platform-ignore: only a reason', undefined, 'only a reason'],
  ['platform-ignore', undefined, undefined],
  ['platform-ignore a/b:', 'a/b', ''],
])('accepts the comment "%s"', (text, code, reason) => {
  expect(ignoreText.exec(text)?.slice(1)).toEqual([code, reason]);
});

it.each(['platform-ignored a/b: x', 'a platform-ignore a/b: x', 'platform-ignore a/b without a colon'])(
  'rejects the comment "%s"',
  (text) => expect(ignoreText.test(text)).toBe(false),
);
