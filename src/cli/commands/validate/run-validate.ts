import { basename, dirname, resolve } from 'node:path';
import { count, type FixedFile } from '../../../diagnostics/index.js';
import { paintDiff } from '../../../terminal/paint-diff.js';
import { UserError } from '../../../base/user-error.js';
import { devSettingsFileName, findDocuments, manifestFileName, rules } from '../../../manifest/index.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { visible } from '../../../base/escape-control-characters.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { parseSeverityChoices } from '../../context/severity-choices.js';
import { checkManifests, type Checked, type CheckOptions, type ManifestInput } from './check-manifests.js';
import { chooseEnvironment, type EnvironmentOptions } from '../../session/environment-options.js';
import { renderChange } from './describe-fix.js';
import type { FixOptions } from './fix-manifests.js';
import { printReport } from './print-report.js';

export interface ValidateOptions extends EnvironmentOptions {
  strict?: boolean;
  maxWarnings?: number;
  rule?: string[];
  fix?: boolean;
  dryRun?: boolean;
  watch?: boolean;
  since?: string;
  stdinFilename?: string;
}

export async function runValidate(
  context: CommandContext,
  named: readonly string[],
  options: ValidateOptions,
): Promise<Outcome> {
  refuseContradictions(named, context, options);
  const check: CheckOptions = {
    env: context.io.env,
    chosen: chooseEnvironment(options, context.cwd),
    choices: parseSeverityChoices(
      options.rule ?? [],
      options.strict === true,
      rules.map(({ code }) => code),
    ),
    ...(options.maxWarnings !== undefined && { maxWarnings: options.maxWarnings }),
  };
  if (options.watch) {
    const { watchManifests } = await import('./watch-manifests.js');
    await watchManifests(named, context, check);
    return fine;
  }
  const inputs = named.includes('-')
    ? [await readStandardInput(context, options.stdinFilename)]
    : findDocuments(named, context.cwd).map((file) => ({ file }));
  if (options.since !== undefined) {
    const { changedSince } = await import('../../session/changed-since.js');
    const all = inputs.map(({ file }) => file);
    const changed = await changedSince(
      context,
      options.since,
      all.filter((file) => basename(file) !== devSettingsFileName),
    );
    const folders = new Set(changed.map((file) => dirname(file)));
    check.only = new Set(all.filter((file) => folders.has(dirname(file))));
  }
  const checked = options.fix
    ? await fixAndCheck(inputs, context, { ...check, cwd: context.cwd, dryRun: options.dryRun === true })
    : checkManifests(inputs, check);
  await printReport(checked, context);
  return checked.report.ok ? fine : { kind: 'findings' };
}

async function fixAndCheck(
  inputs: readonly ManifestInput[],
  context: CommandContext,
  options: FixOptions,
): Promise<Checked> {
  const { fixManifests } = await import('./fix-manifests.js');
  const after = fixManifests(inputs, options);
  announce(after.fixed, context, options);
  const { report, sources } = checkManifests(after.inputs, options);
  const ok = report.ok && !(options.dryRun && after.fixed.length > 0);
  return { report: { ...report, ok, fixed: after.fixed }, sources };
}

function refuseContradictions(
  named: readonly string[],
  { format }: CommandContext,
  options: ValidateOptions,
): void {
  const refuse = (message: string, hint: string): never => {
    throw new UserError('contradiction', message, hint);
  };
  if (named.includes('-')) {
    if (named.length > 1)
      refuse('Standard input ("-") cannot be combined with other paths.', 'Remove "-" or the other paths.');
    if (options.fix || options.watch || options.since !== undefined)
      refuse('Standard input cannot be fixed, watched or compared.', 'Use a file instead of "-".');
  }
  if (options.dryRun && !options.fix) refuse('--dry-run needs --fix.', 'Add --fix.');
  if (options.since !== undefined && (options.fix || options.watch))
    refuse('--since cannot be combined with --fix or --watch.', 'Remove one of them.');
  if (options.watch && options.fix) refuse('--watch and --fix cannot be combined.', 'Remove one of them.');
  if (options.watch && !['text', 'json'].includes(format))
    refuse(`--watch cannot print ${format}.`, 'Use --format text or json.');
}

async function readStandardInput(context: CommandContext, name = manifestFileName): Promise<ManifestInput> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await context.io.stdin.bytes());
  return { file: resolve(context.cwd, name), text };
}

function announce(fixed: readonly FixedFile[], context: CommandContext, { dryRun }: FixOptions): void {
  if (fixed.length === 0) return;
  if (dryRun && context.format === 'text') {
    for (const { diff } of fixed) context.print(`${paintDiff(diff, context.style)}\n`);
  }
  const problems = count(
    fixed.reduce((sum, one) => sum + one.count, 0),
    'problem',
  );
  const lines = fixed.flatMap(({ file, problems }) =>
    problems.map((problem) => {
      const { message, range, code } = problem;
      const place = `${relativePath(context.cwd, file)}:${range.start.line}`;
      return visible(`${place}  ${message} ${renderChange(problem)} (${code})`);
    }),
  );
  // With --dry-run, the diff shows the changes.
  if (!dryRun) context.note(lines.join('\n'));
  context.note(`${dryRun ? 'Would fix' : 'Fixed'} ${problems} in ${count(fixed.length, 'file')}.`);
}
