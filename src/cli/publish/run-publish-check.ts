import { join, relative, resolve } from 'node:path';
import {
  count,
  renderReport,
  type Diagnostic,
  type ReportFormat,
  type View,
} from '../../diagnostics/index.js';
import { findOneManifest, readStats, replaceFile } from '../../manifest/index.js';
import type { CheckedProject, Target } from '../../publish/index.js';
import { checkPlace } from '../check-place.js';
import { fine, type CommandContext, type Outcome } from '../command.js';
import { ruleRegistry } from '../rule-registry.js';
import { platformVersion } from '../version.js';
import { checkedToJson, checkManifest } from './check-manifest.js';

export interface PublishCheckOptions {
  target: Target;
  strict?: boolean;
  against?: string;
  pack?: string;
}

export async function runPublishCheck(
  context: CommandContext,
  where: string | undefined,
  options: PublishCheckOptions,
): Promise<Outcome> {
  const publish = await import('../../publish/index.js');
  const { cwd, io } = context;
  if (options.pack !== undefined)
    checkPlace({ option: '--pack', named: options.pack, example: 'out.tgz' }, cwd);
  const packed = where !== undefined && isFile(resolve(cwd, where)) && /\.(tgz|tar\.gz)$/.test(where);
  const unpacked = packed ? publish.unpack(resolve(cwd, where)) : undefined;
  try {
    const file = unpacked ? unpacked.manifestFile : findOneManifest(where, cwd);
    const { target, strict, against } = options;
    const checked = await checkManifest(io, {
      file,
      cwd,
      target,
      strict: strict === true,
      against,
      built: packed,
    });
    const told = unpacked ? nameAfterPack(checked, unpacked.folder, resolve(cwd, where ?? '')) : checked;
    await print(context, told);
    if (options.pack !== undefined) {
      const { files, archive } = publish.packSubmission(checked);
      replaceFile(resolve(cwd, options.pack), archive);
      const list = files.map(({ path, bytes }) => `  ${String(bytes).padStart(9)}  ${path}`);
      context.note(`\nWrote ${options.pack}: ${count(files.length, 'file')}.\n${list.join('\n')}`);
    }
    return told.report.ok ? fine : { kind: 'findings' };
  } finally {
    unpacked?.close();
  }
}

const isFile = (path: string): boolean => readStats(path)?.isFile() ?? false;

/** A file in a pack is told by the pack's name, not by where it was unpacked. */
function nameAfterPack(checked: CheckedProject, folder: string, pack: string): CheckedProject {
  const rename = (file: string): string => join(pack, relative(folder, file));
  const { report, sources } = checked;
  const diagnostics = report.diagnostics.map((one): Diagnostic => ({ ...one, file: rename(one.file) }));
  return {
    ...checked,
    report: { ...report, files: report.files.map(rename), diagnostics },
    sources: new Map([...sources].map(([file, source]) => [rename(file), source])),
  };
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
  const { renderChecklist, renderMarkdown } = await import('../../publish/index.js');
  if (format === 'markdown') context.print(renderMarkdown({ report, checks }));
  else if (format === 'text') context.print(await renderChecklist({ report, checks }, view));
  else context.print(await renderReport(format as ReportFormat, report, view));
}
