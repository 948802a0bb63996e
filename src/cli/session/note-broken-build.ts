import type { CommandContext } from '../context/command.js';
import { whatBroke } from '../../protocol/build-report.js';
import type { SessionClient } from './connect.js';

/** A broken build does not stop the platform, so results may come from an earlier version of the code. */
export async function noteBrokenBuild(
  client: SessionClient,
  { note, style }: Pick<CommandContext, 'note' | 'style'>,
): Promise<void> {
  const { lastBuild, version } = await client.call('GET /overview');
  if (!lastBuild || lastBuild.ok) return;
  const error = lastBuild.problems.find(({ severity }) => severity === 'error');
  const position =
    error && [error.file, error.line, error.column].filter((part) => part !== undefined).join(':');
  note(
    `${style.yellow('warning')} ${whatBroke(lastBuild)}, so version ${version} is still running.${error ? ` ${position}: ${error.message}` : ''}`,
  );
}
