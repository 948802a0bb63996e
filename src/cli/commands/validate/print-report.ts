import {
  readPage,
  renderReport,
  type ReportFormat,
  type RuleInfo,
  type View,
} from '../../../diagnostics/index.js';
import { rules as manifestRules } from '../../../manifest/index.js';
import type { CommandContext } from '../../context/command.js';
import { printNextCommand } from '../../session/print-next-command.js';
import { docsFolder } from '../../../base/package-files.js';
import { platformVersion } from '../../context/version.js';
import type { Checked } from './check-manifests.js';

export async function printReport(
  { report, sources }: Checked,
  context: CommandContext,
  rules: readonly RuleInfo[] = manifestRules,
): Promise<void> {
  const format = context.format as ReportFormat;
  if (format === 'text' && context.quiet && report.ok) return;
  const view: View = {
    cwd: format === 'github' ? (context.io.env['GITHUB_WORKSPACE'] ?? context.cwd) : context.cwd,
    width: context.width,
    style: context.style,
    source: (file) => sources.get(file),
    rules:
      format === 'sarif'
        ? await withPages(
            rules,
            report.diagnostics.map(({ code }) => code),
          )
        : rules,
    version: platformVersion,
  };
  context.print(await renderReport(format, report, view));
  if (format === 'text') printNextCommand(context, report.diagnostics);
}

const withPages = (rules: readonly RuleInfo[], codes: readonly string[]): Promise<RuleInfo[]> =>
  Promise.all(
    rules
      .filter(({ code }) => codes.includes(code))
      .map(async (rule) => {
        const page = readPage(rule.code, docsFolder);
        return { ...rule, ...(page !== undefined && { page }) };
      }),
  );
