import {
  createReport,
  relativePath,
  renderReport,
  wrapText,
  type Diagnostic,
  type Style,
  type View,
} from '../diagnostics/index.js';
import { visible } from '../diagnostics/visible.js';
import type { CheckResult, Verdict } from './check.js';
import type { Judgement } from './judge.js';

/** The checklist in a terminal: what is wrong with the code first, then every check with its verdict. */
export async function renderChecklist({ report, checks }: Judgement, view: View): Promise<string> {
  const elsewhere = report.diagnostics.filter(({ code }) => !code.startsWith('publish/'));
  const others = createReport([...new Set(elsewhere.map(({ file }) => file))], elsewhere);
  const shown = elsewhere.length > 0 ? await renderReport('text', others, view) : '';
  const width = Math.max(...checks.map(({ title }) => title.length));
  const blocks = checks.map((check) => renderCheck(check, report.diagnostics, width, view));
  return `${shown}${shown && '\n'}${blocks.join('\n')}\n\n${renderVerdicts(checks, view.style)}\n`;
}

const marks: Record<Verdict, (style: Style) => string> = {
  pass: ({ green }) => green('pass '),
  fail: ({ red }) => red('fail '),
  'needs-person': ({ yellow }) => yellow('look '),
};

function renderCheck(
  { id, title, verdict, evidence, help }: CheckResult,
  diagnostics: readonly Diagnostic[],
  column: number,
  { style, width, cwd }: View,
): string {
  const beside = Math.min(width, 100) - column - 7 >= 30;
  const indent = ' '.repeat(beside ? column + 7 : 6);
  const room = Math.min(width, 100) - indent.length;
  const own = diagnostics.filter(({ code }) => code === id);
  const wrapped = (text: string, paint: (line: string) => string = (line) => line): string[] =>
    wrapText(visible(text), room).map((line) => `${indent}${paint(line)}`);
  const findings = own.flatMap((one) => [
    ...wrapped(`${one.message} ${placeOf(one, cwd)}`),
    ...(one.help === undefined ? [] : wrapped(one.help, style.cyan)),
  ]);
  const person = verdict === 'needs-person' && help !== undefined ? wrapped(help, style.cyan) : [];
  const [first = '', ...rest] = wrapped(evidence);
  const head = `${marks[verdict](style)} ${title.padEnd(column)}`;
  return [
    ...(beside ? [`${head} ${first.trimStart()}`] : [head.trimEnd(), first]),
    ...rest,
    ...findings,
    ...person,
  ].join('\n');
}

/** With the code, for `platform explain`. */
const placeOf = ({ file, range, code }: Diagnostic, cwd: string): string =>
  `(${relativePath(cwd, file)}${range ? `:${range.start.line}` : ''}, ${code})`;

/** `21 pass, 2 fail, 2 need a person.` */
export function renderVerdicts(checks: readonly CheckResult[], style: Style): string {
  const number = (verdict: Verdict): number => checks.filter((check) => check.verdict === verdict).length;
  const failed = number('fail');
  const text = `${number('pass')} pass, ${failed} fail, ${number('needs-person')} need a person to look.`;
  return failed > 0 ? style.red(text) : style.green(text);
}
