import { resolve } from 'node:path';
import { count, type Diagnostic } from '../../../diagnostics/index.js';
import { visible } from '../../../base/escape-control-characters.js';
import { inParallel } from '../../../base/in-parallel.js';
import { findClashes, loadManifest } from '../../../manifest/index.js';
import { UserError } from '../../../base/user-error.js';
import { replaceFile } from '../../../base/node/replace-file.js';
import type { CheckedProject, Strictness, Target } from '../../../publish/index.js';
import { checkOutputPath } from '../../context/check-output-path.js';
import type { Io } from '../../context/io.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import {
  chooseEnvironment,
  type ChosenEnvironment,
  type EnvironmentOptions,
} from '../../session/environment-options.js';
import { changedSince } from '../../session/changed-since.js';
import { createProgressLine } from '../../../terminal/progress-line.js';
import { ruleRegistry } from '../../context/rule-registry.js';
import { parseSeverityChoices } from '../../context/severity-choices.js';
import { checkManifest } from './check-for-publish.js';
import { findSubjects, type Subject } from './find-subjects.js';
import { printChecks, type CheckedSubject } from './print-checks.js';

export interface PublishCheckOptions extends EnvironmentOptions {
  target: Target;
  strict?: boolean;
  rule?: string[];
  against?: string;
  recordings?: string;
  pack?: string;
  force?: boolean;
  since?: string;
}

export async function runPublishCheck(
  context: CommandContext,
  named: readonly string[],
  options: PublishCheckOptions,
): Promise<Outcome> {
  const { cwd, io, redraw } = context;
  const all = findSubjects(named, cwd);
  const changed = await changedSince(
    context,
    options.since,
    all.flatMap(({ kind, file }) => (kind === 'project' ? [file] : [])),
  );
  const subjects = all.filter(({ kind, file }) => kind === 'packed' || changed.includes(file));
  refuseContradictions(subjects, options, cwd);
  const chosen = chooseEnvironment(options, cwd);
  const strictness: Strictness = {
    strict: options.strict === true,
    rules: parseSeverityChoices(
      options.rule ?? [],
      false,
      ruleRegistry.map(({ code }) => code),
    ).rules,
  };
  const repeated = findRepeatedNames(all, changed, io, chosen);
  const interrupted = io.takeInterrupts();
  const { columns } = io.stderr;
  const progress = createProgressLine({ redraw, columns, clock: io.clock, interrupted: () => interrupted });
  const check = async (subject: Subject): Promise<CheckedSubject> => ({
    ...subject,
    checked:
      subject.kind === 'packed'
        ? await checkArchive(context, subject, options, { ...strictness, interrupted })
        : await checkManifest(context.io, {
            file: subject.file,
            besideOthers: repeated.filter(({ file }) => file === subject.file),
            cwd,
            target: options.target,
            against: options.against,
            recordings: options.recordings,
            interrupted,
            ...chosen,
            ...strictness,
          }),
  });
  let begun = 0;
  const checked = await inParallel(subjects, async (subject) => {
    begun += 1;
    const which = subjects.length > 1 ? ` (${begun} of ${subjects.length})` : '';
    await progress.step(`Checking ${subject.shown === '.' ? 'the integration' : subject.shown}${which}`);
    return check(subject);
  }).finally(progress.end);
  interrupted.throwIfAborted();
  await printChecks(context, checked, all.length !== 1);
  const [first] = checked;
  if (options.pack !== undefined && first)
    await pack(context, first.checked, { file: options.pack, force: options.force });
  return checked.every(({ checked: { report } }) => report.ok) ? fine : { kind: 'findings' };
}

/** Names must be unique, so the second of two projects with the same name is reported. */
function findRepeatedNames(
  subjects: readonly Subject[],
  changed: readonly string[],
  { env }: Io,
  chosen: ChosenEnvironment,
): Diagnostic[] {
  if (subjects.length < 2) return [];
  const manifests = subjects
    .filter(({ kind }) => kind === 'project')
    .sort((a, b) => Number(changed.includes(a.file)) - Number(changed.includes(b.file)))
    .map(({ file }) => ({ file, ...loadManifest({ file, env, ...chosen }) }));
  return findClashes(manifests).filter(({ severity }) => severity === 'error');
}

function refuseContradictions(
  subjects: readonly Subject[],
  { pack, force, against, recordings }: PublishCheckOptions,
  cwd: string,
): void {
  const refuse = (message: string, hint: string): never => {
    throw new UserError('wrong-usage', message, hint);
  };
  const option = pack !== undefined ? '--pack' : against !== undefined ? '--against' : undefined;
  if (option !== undefined && subjects.length > 1)
    refuse(
      `${option} works with one integration, but there are ${subjects.length}.`,
      `Pass one of them: ${subjects.map(({ shown }) => visible(shown)).join(', ')}.`,
    );
  if (recordings !== undefined && against === undefined)
    refuse(
      '--recordings is only used with --against.',
      'Use --against to specify the version that the calls were recorded with.',
    );
  if (force && pack === undefined) refuse('--force is only used with --pack.', 'Add --pack out.tgz.');
  if (pack === undefined) return;
  if (subjects.some(({ kind }) => kind === 'packed'))
    refuse('--pack needs a project, not a packed submission.', 'Pass its folder.');
  checkOutputPath({ option: '--pack', named: pack, example: 'out.tgz' }, cwd);
}

async function checkArchive(
  { cwd }: CommandContext,
  { file, shown }: Subject,
  { target, against, recordings }: PublishCheckOptions,
  settings: Strictness & { interrupted: AbortSignal },
): Promise<CheckedProject> {
  const { checkPacked } = await import('../../../publish/index.js');
  return checkPacked({
    archive: file,
    shown,
    cwd,
    target,
    ...settings,
    ...(against !== undefined && { against }),
    ...(recordings !== undefined && { recordings }),
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
