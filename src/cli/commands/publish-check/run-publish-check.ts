import { resolve } from 'node:path';
import { count, renderReport, type ReportFormat, type View } from '../../../diagnostics/index.js';
import { UserError } from '../../../base/user-error.js';
import { findOneManifest } from '../../../manifest/index.js';
import { readStats } from '../../../base/node/read-stats.js';
import { replaceFile } from '../../../base/node/replace-file.js';
import type { CheckedProject, Target } from '../../../publish/index.js';
import { checkOutputPath } from '../../check-output-path.js';
import { fine, type CommandContext, type Outcome } from '../../command.js';
import { ruleRegistry } from '../../rule-registry.js';
import { platformVersion } from '../../version.js';
import { checkedToJson, checkManifest } from './check-for-publish.js';

export interface PublishCheckOptions {
  target: Target;
  strict?: boolean;
  against?: string;
  pack?: string;
  force?: boolean;
}

export async function runPublishCheck(
  context: CommandContext,
  where: string | undefined,
  options: PublishCheckOptions,
): Promise<Outcome> {
  const { cwd } = context;
  const packed = where !== undefined && isPacked(resolve(cwd, where));
  checkPackOptions(options, packed, cwd);
  const checked = packed
    ? await checkArchive(context, where, options)
    : await checkManifest(context.io, {
        file: findOneManifest(where, cwd),
        cwd,
        target: options.target,
        strict: options.strict === true,
        against: options.against,
      });
  await print(context, checked);
  if (options.pack !== undefined) await pack(context, checked, { file: options.pack, force: options.force });
  return checked.report.ok ? fine : { kind: 'findings' };
}

const isPacked = (path: string): boolean =>
  /\.(tgz|tar\.gz)$/i.test(path) && readStats(path)?.isDirectory() === false;

function checkPackOptions({ pack, force }: PublishCheckOptions, packed: boolean, cwd: string): void {
  if (force && pack === undefined)
    throw new UserError('wrong-usage', '--force is only used with --pack.', 'Add --pack out.tgz.');
  if (pack === undefined) return;
  if (packed)
    throw new UserError(
      'wrong-usage',
      '--pack needs a project, not a packed submission.',
      'Name its folder.',
    );
  checkOutputPath({ option: '--pack', named: pack, example: 'out.tgz' }, cwd);
}

async function checkArchive(
  { cwd }: CommandContext,
  shown: string,
  { target, strict, against }: PublishCheckOptions,
): Promise<CheckedProject> {
  const { checkPacked, readGitFile } = await import('../../../publish/index.js');
  return checkPacked({
    archive: resolve(cwd, shown),
    shown,
    cwd,
    target,
    strict: strict === true,
    ...(against !== undefined && { against }),
    readGitFile,
  });
}

async function pack(
  context: CommandContext,
  checked: CheckedProject,
  { file, force = false }: { file: string; force: boolean | undefined },
): Promise<void> {
  const failed = checked.checks.filter(({ verdict }) => verdict === 'fail').map(({ title }) => title);
  if (failed.length > 0 && !force) {
    context.note(
      `\n${file} was not written, because ${count(failed.length, 'check')} failed: ${failed.join(', ')}.\n` +
        'Fix the problems, or pack anyway with --force.',
    );
    return;
  }
  const { packSubmission } = await import('../../../publish/index.js');
  const { files, archive } = packSubmission(checked);
  replaceFile(resolve(context.cwd, file), archive);
  const list = files.map(({ path, bytes }) => `  ${String(bytes).padStart(9)}  ${path}`);
  context.note(`\nWrote ${file}: ${count(files.length, 'file')}.\n${list.join('\n')}`);
}

async function print(context: CommandContext, checked: CheckedProject): Promise<void> {
  const { report, checks, sources } = checked;
  const { cwd, format, io, width, style } = context;
  const view: View = {
    cwd: format === 'github' ? (io.env['GITHUB_WORKSPACE'] ?? cwd) : cwd,
    width,
    style,
    source: (file) => sources.get(file),
    rules: ruleRegistry,
    version: platformVersion,
  };
  if (format === 'json') {
    context.emit(checkedToJson(checked, cwd));
    return;
  }
  const { renderChecklist, renderMarkdown } = await import('../../../publish/index.js');
  if (format === 'markdown') context.print(renderMarkdown({ report, checks }));
  else if (format === 'text') context.print(await renderChecklist({ report, checks }, view));
  else context.print(await renderReport(format as ReportFormat, report, view));
}
