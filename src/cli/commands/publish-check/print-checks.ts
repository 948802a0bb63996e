import {
  count,
  createReport,
  nextCommand,
  renderReport,
  type ReportFormat,
  type View,
} from '../../../diagnostics/index.js';
import type { CheckedProject } from '../../../publish/index.js';
import { visible } from '../../../base/escape-control-characters.js';
import type { CommandContext } from '../../context/command.js';
import { printNextCommand } from '../../session/print-next-command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { platformVersion } from '../../context/version.js';
import { checkedToJson } from './check-for-publish.js';
import type { Subject } from './find-subjects.js';

export interface CheckedSubject extends Subject {
  checked: CheckedProject;
}

/** A single project is printed without a heading. Multiple projects have a heading each and a shared summary. */
export async function printChecks(
  context: CommandContext,
  subjects: readonly CheckedSubject[],
  several: boolean,
): Promise<void> {
  const { cwd, format } = context;
  const [only] = several ? [] : subjects;
  if (format === 'json') {
    const toJson = ({ checked }: CheckedSubject) => {
      const next = nextCommand(checked.report.diagnostics, cwd);
      return { ...checkedToJson(checked, cwd), ...(next !== undefined && { next }) };
    };
    context.emit(
      only ? toJson(only) : { projects: subjects.map((one) => ({ project: one.shown, ...toJson(one) })) },
    );
  } else if (format === 'text') {
    await printChecklists(context, subjects, several);
    printNextCommand(
      context,
      subjects.flatMap(({ checked }) => checked.report.diagnostics),
    );
  } else if (format === 'markdown') {
    const { escapeMarkdown, renderMarkdown } = await import('../../../publish/index.js');
    const tables = subjects.map(({ shown, checked }) =>
      only ? renderMarkdown(checked) : `### ${escapeMarkdown(shown)}\n\n${renderMarkdown(checked)}`,
    );
    context.print(tables.join('\n'));
  } else context.print(await renderTogether(context, subjects));
}

async function printChecklists(
  context: CommandContext,
  subjects: readonly CheckedSubject[],
  several: boolean,
): Promise<void> {
  const { renderChecklist, renderVerdictCounts } = await import('../../../publish/index.js');
  const { style } = context;
  const view = viewOf(context, subjects);
  for (const { shown, checked } of subjects)
    context.print(
      `${several ? `${style.bold(visible(shown))}\n\n` : ''}${await renderChecklist(checked, view)}`,
    );
  if (!several || subjects.length === 0) return;
  const column = Math.max(...subjects.map(({ shown }) => visible(shown).length));
  const lines = subjects.map(
    ({ shown, checked }) => `${visible(shown).padEnd(column)}  ${renderVerdictCounts(checked.checks, style)}`,
  );
  const failed = subjects.filter(({ checked }) => !checked.report.ok).length;
  const verdict =
    failed === 0 ? style.green('All passed.') : style.red(failed === 1 ? '1 failed.' : `${failed} failed.`);
  context.print(`${lines.join('\n')}\n\n${count(subjects.length, 'integration')}. ${verdict}\n`);
}

/** Machine-readable formats combine all projects in one report. */
function renderTogether(context: CommandContext, subjects: readonly CheckedSubject[]): Promise<string> {
  const reports = subjects.map(({ checked }) => checked.report);
  const together = createReport(
    reports.flatMap(({ files }) => files),
    reports.flatMap(({ diagnostics }) => diagnostics),
  );
  const report = { ...together, ok: reports.every(({ ok }) => ok) };
  return renderReport(context.format as ReportFormat, report, viewOf(context, subjects));
}

function viewOf(
  { cwd, format, io, width, style }: CommandContext,
  subjects: readonly CheckedSubject[],
): View {
  return {
    cwd: format === 'github' ? (io.env['GITHUB_WORKSPACE'] ?? cwd) : cwd,
    width,
    style,
    source: (file) =>
      subjects.map(({ checked }) => checked.sources.get(file)).find((source) => source !== undefined),
    rules: ruleRegistry,
    version: platformVersion,
  };
}
