import { createStyle } from '../diagnostics/style.js';
import type { CheckResult, Verdict } from './check.js';
import type { Judgement } from './judge.js';
import { renderVerdicts } from './render-checklist.js';

const marks: Record<Verdict, string> = { pass: '✅', fail: '❌', 'needs-person': '👀' };

/** For a comment on a pull request. */
export function renderMarkdown({ report, checks }: Judgement): string {
  const rows = checks.map((check) => `| ${marks[check.verdict]} | ${check.title} | ${cell(check, report)} |`);
  const elsewhere = report.diagnostics.filter(
    ({ code, severity }) => !code.startsWith('publish/') && severity === 'error',
  );
  const errors = elsewhere.map(({ code, message }) => `- ${escape(message)} (\`${code}\`)`);
  return [
    `**${renderVerdicts(checks, createStyle(false))}**`,
    '',
    '| | check | what was seen |',
    '|---|---|---|',
    ...rows,
    ...(errors.length > 0 ? ['', 'Errors:', '', ...errors] : []),
    '',
  ].join('\n');
}

function cell({ id, evidence, verdict, help }: CheckResult, report: Judgement['report']): string {
  const own = report.diagnostics.filter(({ code }) => code === id);
  const findings = own.map((one) => [one.message, one.help].filter(Boolean).join(' '));
  const person = verdict === 'needs-person' && help !== undefined ? [help] : [];
  return [evidence, ...findings, ...person].map(escape).join('<br>');
}

/** Text of the author's that must not become markup. */
const escape = (text: string): string =>
  text
    .replaceAll(/[\\`*_{}[\]|]/g, String.raw`\$&`)
    .replaceAll(/[&<>@]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/\s+/g, ' ');
