import { createReport, renderReport, type Diagnostic, type View } from '../diagnostics/index.js';
import { relativePath } from '../base/node/relative-path.js';
import { wrapText } from '../terminal/wrap-text.js';
import type { Style } from '../terminal/style.js';
import { visible } from '../base/escape-control-characters.js';
import { verdicts, type CheckResult, type Verdict } from './checks/check.js';
import { ignoreCheck, ignoreWithoutReason, type CheckedSubmission } from './run-checks.js';

/**
 * Renders the checklist for a terminal. Problems in the manifest and the code come first, followed by every check and its
 * verdict.
 */
export async function renderChecklist({ report, checks }: CheckedSubmission, view: View): Promise<string> {
  const elsewhere = [...report.diagnostics, ...report.ignored].filter(
    ({ code }) => !code.startsWith('publish/'),
  );
  const others = createReport([...new Set(elsewhere.map(({ file }) => file))], elsewhere);
  const shown = elsewhere.length > 0 ? await renderReport('text', others, view) : '';
  const rows = groupSkipped(checks);
  const width = Math.max(...rows.map(({ title }) => title.length));
  const found = [...report.diagnostics, ...report.ignored];
  const blocks = rows.map((check) => renderCheck(check, found, width, view));
  return `${shown}${shown && '\n'}${blocks.join('\n')}\n\n${renderVerdictCounts(checks, view.style)}\n`;
}

/** Combines consecutive checks skipped for the same reason into one row. */
export function groupSkipped(checks: readonly CheckResult[]): CheckResult[] {
  const rows: { check: CheckResult; titles: string[] }[] = [];
  for (const check of checks) {
    const last = rows.at(-1);
    const same = last?.check.verdict === 'skipped' && last.check.evidence === check.evidence;
    if (same && check.verdict === 'skipped') last.titles.push(check.title);
    else rows.push({ check, titles: [check.title] });
  }
  return rows.map(({ check, titles }) =>
    titles.length === 1
      ? check
      : { ...check, title: `${titles.length} checks`, evidence: `${check.evidence} (${titles.join(', ')})` },
  );
}

const marks: Record<Verdict, (style: Style) => string> = {
  pass: ({ green }) => green('pass   '),
  warn: ({ yellow }) => yellow('warn   '),
  fail: ({ red }) => red('fail   '),
  review: ({ blue }) => blue('review '),
  skipped: ({ dim }) => dim('skipped'),
};

const markWidth = 9;

function renderCheck(
  { id, title, verdict, evidence, help }: CheckResult,
  diagnostics: readonly Diagnostic[],
  column: number,
  { style, width, cwd }: View,
): string {
  const beside = Math.min(width, 100) - column - markWidth >= 30;
  const indent = ' '.repeat(beside ? column + markWidth : 8);
  const room = Math.min(width, 100) - indent.length;
  const own = diagnostics.filter(
    ({ code }) => code === id || (id === ignoreCheck.code && code === ignoreWithoutReason.code),
  );
  const wrapped = (text: string, paint: (line: string) => string = (line) => line): string[] =>
    wrapText(visible(text), room).map((line) => `${indent}${paint(line)}`);
  const findings = own.flatMap((one) => [
    ...wrapped(`${ignoredOf(one)}${one.message} ${positionOf(one, cwd)}`),
    ...(one.help === undefined || one.ignored !== undefined ? [] : wrapped(one.help, style.cyan)),
  ]);
  const review = verdict === 'review' && help !== undefined ? wrapped(help, style.cyan) : [];
  const [first = '', ...rest] = wrapped(evidence);
  const head = `${marks[verdict](style)} ${title.padEnd(column)}`;
  return [
    ...(beside ? [`${head} ${first.trimStart()}`] : [head.trimEnd(), first]),
    ...rest,
    ...findings,
    ...review,
  ].join('\n');
}

const ignoredOf = ({ ignored }: Diagnostic): string =>
  ignored === undefined ? '' : `Ignored (${ignored || 'no reason'}): `;

/** Ends with the code, which can be passed to `platform explain`. */
const positionOf = ({ file, range, code }: Diagnostic, cwd: string): string =>
  `(${visible(relativePath(cwd, file))}${range ? `:${range.start.line}` : ''}, ${code})`;

/** Renders counts such as `21 pass, 0 warn, 2 fail, 2 review, 3 skipped.` */
export function renderVerdictCounts(checks: readonly CheckResult[], style: Style): string {
  const number = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  const text = `${verdicts.map((verdict) => `${number(verdict)} ${verdict}`).join(', ')}.`;
  return number('fail') > 0 ? style.red(text) : style.green(text);
}
