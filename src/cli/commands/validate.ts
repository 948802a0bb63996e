import { resolve } from 'node:path';
import { count, paintDiff, UserError, type FixedFile } from '../../diagnostics/index.js';
import { findManifests, manifestFileName } from '../../manifest/index.js';
import { defineCommand, fine, parseWholeNumber, type CommandContext, type Outcome } from '../command.js';
import {
  checkManifests,
  type Checked,
  type CheckOptions,
  type ManifestInput,
} from '../validate/check-manifests.js';
import { fixManifests } from '../validate/fix-manifests.js';
import { printReport } from '../validate/print-report.js';
import { parseSeverityChoices } from '../validate/severity-choices.js';
import { watchManifests } from '../validate/watch-manifests.js';

interface ValidateOptions {
  strict?: boolean;
  maxWarnings?: number;
  rule?: string[];
  fix?: boolean;
  dryRun?: boolean;
  watch?: boolean;
  stdinFilename?: string;
}

export const validate = defineCommand<ValidateOptions>({
  name: 'validate',
  summary: 'check manifests',
  description:
    'Check manifests. Without paths it is the one in this folder, else the nearest above. ' +
    'Folders are searched; "-" reads standard input.',
  arguments: [{ syntax: '[paths...]', description: 'files, folders or patterns' }],
  options: [
    { flags: '--strict', description: 'take every warning for an error' },
    { flags: '--max-warnings <number>', description: 'fail when there are more', parse: parseWholeNumber },
    {
      flags: '--rule <code=severity>',
      description: 'off, info, warning or error for one rule',
      repeat: true,
    },
    { flags: '--fix', description: 'mend what has one certain remedy' },
    { flags: '--dry-run', description: 'with --fix: print the changes, make none' },
    { flags: '--watch', description: 'check again at every save' },
    { flags: '--stdin-filename <path>', description: 'where the text of standard input belongs' },
  ],
  formats: ['github', 'sarif', 'junit'],
  examples: [
    { command: 'platform validate', does: 'the manifest here' },
    { command: 'platform validate integrations --strict', does: 'all below a folder' },
    { command: 'platform validate --fix --dry-run', does: 'what would be mended' },
    { command: 'platform validate --rule manifest/unknown-category=off', does: 'without one rule' },
  ],
  async run(context, named, options) {
    refuseContradictions(named, context, options);
    const check: CheckOptions = {
      env: context.io.env,
      choices: parseSeverityChoices(options.rule ?? [], options.strict === true),
      ...(options.maxWarnings !== undefined && { maxWarnings: options.maxWarnings }),
    };
    if (options.watch) {
      await watchManifests(named, context, check);
      return fine;
    }
    const inputs = named.includes('-')
      ? [await readStandardInput(context, options.stdinFilename)]
      : findManifests(named, context.cwd).map((file) => ({ file }));
    if (!options.fix) return finish(checkManifests(inputs, check), context);
    const dryRun = options.dryRun === true;
    const after = fixManifests(inputs, { ...check, cwd: context.cwd, dryRun });
    const { report, sources } = checkManifests(after.inputs, check);
    announce(after.fixed, context, dryRun);
    const ok = report.ok && !(dryRun && after.fixed.length > 0);
    return finish({ report: { ...report, ok, fixed: after.fixed }, sources }, context);
  },
});

async function finish(checked: Checked, context: CommandContext): Promise<Outcome> {
  await printReport(checked, context);
  return checked.report.ok ? fine : { kind: 'findings' };
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
    if (named.length > 1) refuse('Standard input goes with no other path.', 'Give "-" alone.');
    if (options.fix || options.watch) refuse('Standard input is no file to fix or watch.', 'Name the file.');
  }
  if (options.dryRun && !options.fix) refuse('--dry-run goes with --fix.', 'Give both.');
  if (options.watch && options.fix) refuse('--watch does not go with --fix.', 'Give one of them.');
  if (options.watch && !['text', 'json'].includes(format))
    refuse(`--watch can't print ${format}.`, 'It prints text or json.');
}

async function readStandardInput(context: CommandContext, name = manifestFileName): Promise<ManifestInput> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await context.io.stdin.bytes());
  return { file: resolve(context.cwd, name), text };
}

function announce(fixed: readonly FixedFile[], context: CommandContext, dryRun: boolean): void {
  if (fixed.length === 0) return;
  if (dryRun && context.format === 'text') {
    for (const { diff } of fixed) context.print(`${paintDiff(diff, context.style)}\n`);
  }
  const findings = count(
    fixed.reduce((sum, one) => sum + one.count, 0),
    'finding',
  );
  context.note(`${dryRun ? 'Would mend' : 'Mended'} ${findings} in ${count(fixed.length, 'file')}.`);
}
