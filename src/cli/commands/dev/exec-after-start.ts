import { constants } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endWindowsTree } from '../../../sandbox/process/end-tree.js';
import type { Outcome } from '../../context/command.js';
import type { Io } from '../../context/io.js';

export interface SharedAddresses {
  site: string;
  console: string;
  envelope: string;
  api: string;
}

export interface PlatformAddresses extends SharedAddresses {
  publicEndpoint: string;
}

/** Runs a command in the shell, with the platform's URLs and a webhook secret in its environment. */
export async function execCommand(
  command: string,
  {
    io,
    cwd,
    urls,
    session,
    siteLink,
    webhookSecret,
    json,
  }: {
    io: Io;
    cwd: string;
    urls: SharedAddresses & Partial<PlatformAddresses>;
    session: string;
    siteLink: string;
    webhookSecret: string | undefined;
    json: boolean;
  },
): Promise<Outcome> {
  const { execa } = await import('execa');
  // Earlier output is written before the output of the command.
  await nextTurn();
  const interrupts = io.takeInterrupts();
  const isWindows = io.platform === 'win32';
  const running = execa(command, {
    shell: true,
    // As in package.json scripts, programs installed in the project can be run by name, for example with `--exec "vitest
    // run"`.
    preferLocal: true,
    localDir: cwd,
    cwd,
    env: {
      PLATFORM_SESSION: session,
      PLATFORM_CONSOLE_URL: urls.console,
      PLATFORM_SITE: siteLink,
      PLATFORM_ENVELOPE_URL: urls.envelope,
      PLATFORM_API_URL: urls.api,
      ...(urls.publicEndpoint !== undefined && { PLATFORM_PUBLIC_ENDPOINT: urls.publicEndpoint }),
      ...(webhookSecret !== undefined && { PLATFORM_WEBHOOK_SECRET: webhookSecret }),
    },
    // In JSON mode, stdout is reserved for the platform's own lines.
    stdio: ['inherit', json ? 2 : 'inherit', 'inherit'],
    reject: false,
    ...(!isWindows && { cancelSignal: interrupts }),
  });
  if (isWindows) interrupts.addEventListener('abort', () => running.pid && endWindowsTree(running.pid));
  const { exitCode, signal } = await running;
  // Returns the exit code that a shell would return, for example 143 if the command was terminated.
  return { kind: 'child', code: exitCode ?? (signal ? 128 + constants.signals[signal] : 1) };
}
