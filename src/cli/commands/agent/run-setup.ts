import { UserError } from '../../../base/user-error.js';
import { renderDiff } from '../../../diagnostics/index.js';
import { paintDiff } from '../../../terminal/paint-diff.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';

export async function runSetup(
  context: CommandContext,
  { dryRun = false, remove = false, yes = false }: { dryRun?: boolean; remove?: boolean; yes?: boolean },
): Promise<Outcome> {
  const { cwd, io, json } = context;
  const { planAgentSetup, readAgentFile, writeAgentFiles } = await import('../../../scaffold/index.js');
  const files = planAgentSetup((path) => readAgentFile(cwd, path), {
    remove,
    leave: (what) => context.note(what),
  });
  const listed = files.map(({ path, before, after }) => ({
    path,
    change: after === undefined ? 'remove' : before === undefined ? 'create' : 'edit',
  }));
  if (!json)
    for (const { path, before = '', after = '' } of files)
      context.print(paintDiff(renderDiff(path, { text: before }, { text: after }), context.style));
  const write = files.length > 0 && !dryRun && (yes || (await agrees(context, listed.length)));
  if (write) writeAgentFiles(cwd, files, `platform-${io.pid}`);
  const next = remove || dryRun ? undefined : 'platform dev';
  if (json) context.emit({ files: listed, written: write, ...(next !== undefined && { next }) });
  else if (files.length === 0) context.print('Nothing to change.');
  else
    context.print(write ? `Changed ${listed.map(({ path }) => path).join(', ')}.` : 'Nothing was written.');
  if (!json && write && next !== undefined && !io.stdout.isTTY) context.print(`next: ${next}`);
  return fine;
}

async function agrees({ io, interactive, json }: CommandContext, count: number): Promise<boolean> {
  if (!interactive || json)
    throw new UserError(
      'not-confirmed',
      'Nothing was written, because confirming the changes requires a terminal.',
      'Preview the changes with --dry-run, then write them with --yes.',
    );
  const message = `Write ${count === 1 ? 'this change' : `these ${count} changes`}?`;
  const answers = await io.ask([{ name: 'write', type: 'confirm', message, initial: true }]);
  return answers?.['write'] === true;
}
