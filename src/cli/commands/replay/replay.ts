import { runtimeNames } from '../../../protocol/runtime-names.js';
import { UserError } from '../../../base/user-error.js';
import { defineCommand, type CommandContext } from '../../context/command.js';
import { sinceOption } from '../../context/report-options.js';
import { strictOption } from '../../session/settled-calls.js';
import type { ReplayFailedOptions } from './run-replay-failed.js';
import type { ReplayFilesOptions } from './run-replay-files.js';

type ReplayOptions = ReplayFilesOptions &
  ReplayFailedOptions & { strict?: boolean; faults?: boolean; fault?: string; failed?: boolean };

export const replay = defineCommand<ReplayOptions>({
  name: 'replay',
  summary: 'run recorded calls again with the current code, and compare the results',
  description:
    'Run recorded calls again with the current code, and compare the results. A recording is replayed offline, without a running platform, and the file supplies the responses to outbound requests. The script runs with your permissions, but without the secrets from .env and environment variables. A call id is replayed on the running platform. --failed replays the failed calls of the running platform offline.',
  arguments: {
    '[recordings-or-id...]': 'recordings, folders of recordings or integrations, patterns, or a call id',
  },
  options: {
    '--update': 'save the current results to the recordings',
    '--runtime <runtime>': {
      description: 'runtime for the script (default: the one set in platform.dev.yaml, or node)',
      choices: [...runtimeNames],
    },
    '--faults': 'make each outbound request fail in several ways, and report missing error handling',
    '--fault <variant>': 'repeat a single variant that --faults reported',
    '--failed': 'run the failed calls of the running platform again, one of each kind',
    '--live': 'with --failed: send their outbound requests again',
    '--watch': 'with --failed: repeat it after each save',
    ...sinceOption,
    ...strictOption,
  },
  formats: ['junit', 'github'],
  examples: {
    'platform replay recordings/': "replay all of the project's recordings",
    'platform replay recordings/ --faults': 'find missing error handling',
    'platform replay --failed': 'find out which failures the current code fixes',
    'platform replay call_01k': 'run a call again on the running platform',
  },
  async run(context, paths, { strict, failed = false, live, watch, ...options }) {
    const { faults = false, fault, ...files } = options;
    const [what = ''] = paths;
    const isOther =
      !['text', 'json'].includes(context.format) ||
      what !== '' ||
      strict === true ||
      Object.values(options).some((value) => value !== undefined);
    if (failed ? isOther : what === '' || live || watch)
      throw new UserError(
        'bad-value',
        failed
          ? '--failed can only be combined with --live, --watch and --json.'
          : what === ''
            ? 'No recording was named.'
            : '--live and --watch can only be combined with --failed.',
        'Pass a recording, a folder of recordings or a call id, or only --failed.',
      );
    if (failed) {
      const { runReplayFailed } = await import('./run-replay-failed.js');
      return runReplayFailed(context, { live, watch });
    }
    if (what.startsWith('call_') && paths.length < 2) {
      requireNoFileOptions(context, options);
      const { runReplayCall } = await import('./run-replay-call.js');
      return runReplayCall(context, what, { strict });
    }
    if (faults || fault !== undefined) {
      const { runReplayFaults } = await import('./run-replay-faults.js');
      return runReplayFaults(context, paths, { ...files, only: fault });
    }
    const { runReplayFiles } = await import('./run-replay-files.js');
    return runReplayFiles(context, paths, files);
  },
});

function requireNoFileOptions({ format }: CommandContext, options: Omit<ReplayOptions, 'strict'>): void {
  const given = Object.values(options).some((value) => value !== undefined);
  if (!given && ['text', 'json'].includes(format)) return;
  throw new UserError(
    'bad-value',
    'The options --update, --runtime and --faults, and this format, work only with recordings.',
    'Record the call first: platform record <name> <id>',
  );
}
