import { createStyle } from '../terminal/style.js';
import type { CheckResult, Verdict } from './checks/check.js';
import type { CheckedSubmission } from './run-checks.js';
import { groupSkipped, renderVerdictCounts } from './render-checklist.js';

const marks: Record<Verdict, string> = {
  pass: '✅ pass',
  warn: '⚠️ warn',
  fail: '❌ fail',
  review: '👀 review',
  skipped: '⏭️ skipped',
};

/** Renders the checklist as a pull request comment. */
export function renderMarkdown({ report, checks }: CheckedSubmission): string {
  const rows = groupSkipped(checks).map(
    (check) => `| ${marks[check.verdict]} | ${check.title} | ${cell(check, report)} |`,
  );
  const elsewhere = report.diagnostics.filter(
    ({ code, severity }) => !code.startsWith('publish/') && severity !== 'info',
  );
  const problems = elsewhere.map(
    ({ severity, code, message }) => `- ${severity}: ${escapeMarkdown(message)} (\`${code}\`)`,
  );
  return [
    `**${renderVerdictCounts(checks, createStyle(false))}**`,
    '',
    '| verdict | check | evidence |',
    '|---|---|---|',
    ...rows,
    ...(problems.length > 0 ? ['', 'Problems:', '', ...problems] : []),
    '',
  ].join('\n');
}

function cell({ id, evidence, verdict, help }: CheckResult, report: CheckedSubmission['report']): string {
  const own = report.diagnostics.filter(({ code }) => code === id);
  const findings = own.map((one) => [one.message, one.help].filter(Boolean).join(' '));
  const review = verdict === 'review' && help !== undefined ? [help] : [];
  return [evidence, ...findings, ...review].map(escapeMarkdown).join('<br>');
}

/**
 * Makes the author's text appear literally. Everything except plain words is formatted as code, because services turn many
 * other strings into links, mentions, references and emoji, even if they are escaped as character references.
 */
export const escapeMarkdown = (text: string): string =>
  text
    .split(/(\s+|[`|])/)
    .map((part) => {
      if (part.trim() === '') return part === '' ? '' : ' ';
      return part === '`' || part === '|' ? `&#${part.charCodeAt(0)};` : escapeWord(part);
    })
    .join('');

function escapeWord(text: string): string {
  const rest = text.replace(/^["'(]+/, '');
  const word = rest.replace(/(?<!["'().,:;!?])["'().,:;!?]+$/, '');
  if (word === '' || isPlain(word)) return text;
  return `${text.slice(0, text.length - rest.length)}\`${word}\`${rest.slice(word.length)}`;
}

/** Matches a word, a number or a relative path made up of words, but not a commit id or issue number. */
const isPlain = (word: string): boolean =>
  /^([.]{1,2}[/])+[a-z]+([/][a-z]+)*$/i.test(word) ||
  // With the flag `i`, `\P{ASCII}` would match `k` and `s` too.
  (/^([\P{ASCII}A-Za-z'-]+|\d+([.,]\d+)?)$/u.test(word) &&
    !/^['-]|['-]['-]|['-]$|^[\da-fA-F]{7,}$/.test(word));
