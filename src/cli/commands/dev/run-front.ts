import { basename, dirname } from 'node:path';
import { relativePath } from '../../../base/node/relative-path.js';
import { errorMessage } from '../../../base/text/error-message.js';
import { UserError } from '../../../base/user-error.js';
import type { FrontSession } from '../../../dev/index.js';
import { watchFiles } from '../../../dev/reload/watch-files.js';
import type { CommandContext, Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';
import { renderFrontBanner } from './banner.js';
import { findIntegrations } from './find-integrations.js';
import { createReporter } from './reporter.js';
import { runToEnd, type Announced } from './run-to-end.js';
import { sessionOptions, type DevOptions } from './session-options.js';

export async function runFront(
  context: CommandContext,
  named: readonly string[],
  manifests: readonly string[],
  options: DevOptions,
): Promise<Outcome> {
  const { io, style, cwd } = context;
  const began = io.clock.monotonic();
  if (options.inspect !== undefined)
    throw new UserError(
      'inspect-one',
      '--inspect works with one integration, but several were given.',
      'Run platform dev --inspect in the folder of one of them.',
    );
  const { startFront } = await import('../../../dev/start-front.js');
  const waits = !options.exec;
  const reporter = createReporter(context, waits);
  const labels = labelsOf(manifests.map(dirname), cwd);
  const list = async (file: string, label: string) => {
    const own = createReporter(contextOf(context, label), waits);
    return { options: await sessionOptions(context, file, options), reporter: own, tell: own.tell };
  };
  const members = await Promise.all(manifests.map((file, nth) => list(file, labels[nth] ?? '')));
  const shared = { ...members[0]!.options, folder: cwd, tell: reporter.tell };
  const session = await startFront(shared, members);
  if (!session) return { kind: 'findings' };
  const announce = (signal: AbortSignal): Announced => {
    const urls = {
      site: `${session.siteOrigin}/`,
      console: `${session.consoleOrigin}/`,
      envelope: `${session.origin}/v1`,
      api: `${session.origin}/api`,
    };
    const integrations = session.members().map(({ member, ...one }) => {
      const { runtime, emulator } = member ?? {};
      return { ...one, ...(runtime && { runtime }), ...emulator?.primary() };
    });
    const ready = { type: 'ready', platformVersion, pid: io.pid, urls, integrations, pages: session.mounted };
    reporter.ready(
      ready,
      renderFrontBanner(
        {
          integrations: integrations.map((one) => ({ ...one, folder: relativePath(cwd, one.folder) || '.' })),
          platformVersion,
          urls: io.stdout.isTTY ? { ...urls, site: session.siteLink, console: session.consoleLink } : urls,
          pages: session.mounted.map((path) => relativePath(cwd, path) || '.'),
          readyInMs: Math.round(io.clock.monotonic() - began),
          notes: notesOn(session),
          hotkeys: context.interactive && waits,
          width: io.stdout.isTTY ? context.width : Infinity,
        },
        style,
      ),
    );
    for (const member of members) member.reporter.release();
    const add = async (file: string): Promise<void> => {
      const member = await list(file, basename(dirname(file)));
      member.reporter.release();
      await session.add(member);
    };
    follow({ named, cwd, manifests, signal, add, remove: session.remove, note: context.note });
    return { ready, urls };
  };
  return runToEnd(context, session, options, announce);
}

interface Followed {
  named: readonly string[];
  cwd: string;
  manifests: readonly string[];
  signal: AbortSignal;
  add(manifest: string): Promise<void>;
  remove(manifest: string): Promise<void>;
  note(message: string): void;
}

/** Adds integrations whose folders appear and match a pattern, and removes those whose folders or manifests disappear. */
function follow({ named, cwd, manifests, signal, add, remove, note }: Followed): void {
  let known = manifests;
  let last = Promise.resolve();
  const find = (searched: Set<string>): readonly string[] => {
    try {
      return findIntegrations(named, cwd, searched) ?? known;
    } catch {
      return known;
    }
  };
  const searched = new Set<string>();
  find(searched);
  const check = (): void => {
    const folders = new Set<string>();
    const found = find(folders);
    watcher.watch([...folders]);
    const added = found.filter((file) => !known.includes(file));
    const removed = known.filter((file) => !found.includes(file));
    known = found;
    const change = async (): Promise<void> => {
      for (const file of removed) await remove(file);
      for (const file of added) await add(file);
    };
    last = last.then(change).catch((error: unknown) => note(errorMessage(error)));
  };
  const watcher = watchFiles([...searched], check, { signal, settleMs: 100 });
}

const notesOn = ({ first, takenPort }: FrontSession): string[] => [
  ...(first
    ? [
        `Another session is already running in this folder (process ${first.pid}). In this folder, commands in other terminals use that session. In the folder of an integration, they use the session that runs it.`,
      ]
    : []),
  ...(takenPort === undefined
    ? []
    : [
        `Port ${takenPort} is in use, so the next free port is used. URLs that you registered elsewhere, such as redirect URLs, may still contain port ${takenPort}.`,
      ]),
];

/** The name of each folder, or its path if several have the same name. */
function labelsOf(folders: readonly string[], cwd: string): string[] {
  const names = folders.map((folder) => basename(folder));
  const labels = folders.map((folder, nth) =>
    names.filter((name) => name === names[nth]).length > 1
      ? relativePath(cwd, folder) || '.'
      : (names[nth] ?? ''),
  );
  const widest = Math.max(...labels.map((label) => label.length));
  return labels.map((label) => label.padEnd(widest));
}

/** Prints the integration before each line, or as a field of each JSON line. */
function contextOf(context: CommandContext, label: string): Parameters<typeof createReporter>[0] {
  const { style, width, wrapAt } = context;
  const before = `${style.dim(`${label} │`)} `;
  const mark = (text: string): string =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `${before}${line}`.trimEnd())
      .join('\n');
  const taken = label.length + 3;
  return {
    ...context,
    width: width - taken,
    wrapAt: wrapAt - taken,
    print: (text) => context.print(mark(text)),
    emit: (value) => context.emit({ ...value, integration: label.trimEnd() }),
    io: { stderr: { ...context.io.stderr, write: (text) => context.io.stderr.write(`${mark(text)}\n`) } },
  };
}
