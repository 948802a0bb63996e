import type { CommandContext } from '../context/command.js';
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
  const what =
    lastBuild.what === 'manifest'
      ? 'The manifest has errors'
      : `The last save ${error?.code === 'script' ? 'fails to load' : 'does not build'}`;
  note(
    `${style.yellow('warning')} ${what}, so version ${version} is still running.${error ? ` ${position}: ${error.message}` : ''}`,
  );
}
