import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { visible } from '../../../base/escape-control-characters.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import { findIgnoreComments } from '../../../bundle/index.js';
import { createIgnores } from '../../../diagnostics/apply-ignores.js';
import {
  count,
  createReport,
  renderReport,
  reportToJson,
  type Diagnostic,
  type Report,
  type ReportFormat,
} from '../../../diagnostics/index.js';
import {
  faultRules,
  findFaults,
  findRecordings,
  readOwnRecording,
  type FaultSearch,
  type FoundFault,
  type ReplayedProject,
} from '../../../recordings/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { platformVersion } from '../../context/version.js';
import { openProject, type ReplayFilesOptions } from './run-replay-files.js';

interface SearchedFile extends FaultSearch {
  file: string;
}

/** Makes the recorded requests fail, and reports the failures that the script does not handle. */
export async function runReplayFaults(
  context: CommandContext,
  path: string,
  { update, runtime, only }: ReplayFilesOptions & { only?: string | undefined },
): Promise<Outcome> {
  if (update || (runtime ?? 'node') !== 'node')
    throw new UserError(
      'bad-value',
      `--faults cannot be combined with ${update ? '--update' : `--runtime ${runtime}`}.`,
      'Each variant needs a freshly loaded script, which only Node can do. Leave the option out.',
    );
  const files = findRecordings(path, context.cwd);
  const project = await openProject(context, 'node');
  const signal = context.io.takeInterrupts();
  const searched: SearchedFile[] = [];
  for (const file of files) {
    const recording = readOwnRecording(file, project);
    searched.push({ file, ...(await findFaults({ ...project, recording, signal, only })) });
  }
  const variants = searched.reduce((sum, one) => sum + one.variants, 0);
  if (only !== undefined && variants === 0)
    throw new UserError(
      'bad-value',
      `Unknown variant: ${visible(only)}`,
      'To list the variants that show a problem, run: platform replay <recording> --faults',
    );
  const report = createReport(project.sources, await findings(context.cwd, searched, project));
  await print(context, report, searched, variants);
  return report.ok ? fine : { kind: 'findings' };
}

async function findings(
  cwd: string,
  searched: readonly SearchedFile[],
  { folder, sources }: ReplayedProject,
): Promise<Diagnostic[]> {
  const comments = await Promise.all(
    sources.map(
      async (file) => [file, await findIgnoreComments({ file, text: readFileSync(file, 'utf8') })] as const,
    ),
  );
  const ignores = createIgnores({
    comments: new Map(comments),
    codes: faultRules.map((rule) => `fault/${rule}`),
    isLocked: () => false,
  });
  const all = searched.flatMap(({ file, found }) =>
    found.map((one): Diagnostic => {
      const { at } = one;
      const start = at && { line: at.line, column: at.column };
      return {
        code: `fault/${one.rule}`,
        severity: 'error',
        message: messageOf(one),
        ...(one.variant !== undefined && {
          help: `Repeat it with: platform replay ${relativePath(cwd, file)} --fault ${one.variant}`,
        }),
        file: at ? join(folder, at.path) : file,
        ...(start && { range: { start, end: { line: start.line, column: start.column + 1 } } }),
      };
    }),
  );
  return ignores.apply(all);
}

function messageOf({ message, call, fault, count: times }: FoundFault): string {
  const others = times > 1 ? ` (and in ${count(times - 1, 'other case')})` : '';
  return visible(`${message} Seen in ${call}${fault === undefined ? '' : `, when ${fault}`}${others}.`);
}

async function print(
  context: CommandContext,
  report: Report,
  searched: readonly SearchedFile[],
  variants: number,
): Promise<void> {
  const { cwd, style, format } = context;
  const skipped = searched.flatMap(({ file, skipped: names }) =>
    names.map((name) => ({ file: relativePath(cwd, file), name })),
  );
  if (format === 'json') {
    return context.emit({ variants, skipped, ...reportToJson(report, context) });
  }
  const source = (file: string): { text: string } | undefined =>
    file.endsWith('.json') ? undefined : { text: readFileSync(file, 'utf8') };
  const view = { ...context, source, rules: ruleRegistry, version: platformVersion };
  context.print((await renderReport(format as ReportFormat, report, view)).trimEnd());
  context.note(style.dim(`Tried ${count(variants, 'variant')} of the recorded calls.`));
  for (const { file, name } of skipped)
    context.note(`Skipped ${visible(name)} in ${file}, which behaves differently than recorded.`);
}
