import { basename, dirname, resolve } from 'node:path';
import { relativePath } from '../../../base/node/relative-path.js';
import { UserError } from '../../../base/user-error.js';
import type { FrontSession } from '../../../dev/index.js';
import { fine, type CommandContext, type Outcome } from '../../context/command.js';
import { platformVersion } from '../../context/version.js';
import { renderFrontBanner } from './banner.js';
import { execCommand } from './exec-after-start.js';
import { createReporter } from './reporter.js';
import { openAtStart, untilStopped, writeWhole } from './run-dev.js';
import { sessionOptions, type DevOptions } from './session-options.js';

export async function runFront(
  context: CommandContext,
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
  const members = await Promise.all(
    manifests.map(async (file, nth) => {
      const own = createReporter(contextOf(context, labels[nth] ?? ''), waits);
      return { options: await sessionOptions(context, file, options), reporter: own, tell: own.tell };
    }),
  );
  const shared = { ...members[0]!.options, folder: cwd, tell: reporter.tell };
  const session = await startFront(shared, members);
  if (!session) {
    return { kind: 'findings' };
  }
  const stopping = new AbortController();
  let opening: Promise<void> | undefined;
  try {
    const urls = {
      site: `${session.siteOrigin}/`,
      console: `${session.consoleOrigin}/`,
      envelope: `${session.origin}/v1`,
      api: `${session.origin}/api`,
    };
    const list = session.members().map(({ member, ...one }) => {
      const { runtime, emulator } = member ?? {};
      return { ...one, ...(runtime && { runtime }), ...emulator?.primary() };
    });
    const ready = {
      type: 'ready',
      platformVersion,
      pid: io.pid,
      urls,
      integrations: list,
      pages: session.mounted,
    };
    const hotkeys = context.interactive && waits;
    reporter.ready(
      ready,
      renderFrontBanner(
        {
          integrations: list.map((one) => ({ ...one, folder: relativePath(cwd, one.folder) || '.' })),
          platformVersion,
          urls: io.stdout.isTTY ? { ...urls, site: session.siteLink, console: session.consoleLink } : urls,
          pages: session.mounted.map((path) => relativePath(cwd, path) || '.'),
          readyInMs: Math.round(io.clock.monotonic() - began),
          notes: notesOn(session),
          hotkeys,
          width: io.stdout.isTTY ? context.width : Infinity,
        },
        style,
      ),
    );
    for (const member of members) member.reporter.release();
    if (options.readyFile) writeWhole(resolve(cwd, options.readyFile), { version: 1, ...ready });
    if (options.open) opening = openAtStart(context, session.folder, stopping.signal);
    if (options.exec) {
      await session.started();
      const { file, siteLink } = session;
      return await execCommand(options.exec, {
        io,
        cwd,
        urls,
        session: file,
        siteLink,
        webhookSecret: undefined,
        json: context.json,
      });
    }
    await untilStopped(context, session);
    return fine;
  } finally {
    stopping.abort();
    await opening;
    await session.close();
  }
}

const notesOn = ({ first, takenPort }: FrontSession): string[] => [
  ...(first
    ? [
        `Another session is already running in this folder (process ${first.pid}). In this folder, commands in other terminals use that session. In the folder of an integration, they use the session that runs it.`,
      ]
    : []),
  ...(takenPort === undefined ? [] : [`Port ${takenPort} is in use, so the next free port is used.`]),
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
