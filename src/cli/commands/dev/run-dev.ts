import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { findUp } from '../../../base/node/folders-up.js';
import { relativePath } from '../../../base/node/relative-path.js';
import { parseJson } from '../../../base/parse-json.js';
import { recordAt } from '../../../base/value-at-path.js';
import { manifestFileName } from '../../../profiles/profile.js';
import { foreignManifests } from '../../../manifest/read/find-manifest.js';
import { installCommand } from '../../../sandbox/workerd/find-workerd.js';
import type { Session } from '../../../dev/index.js';
import type { CommandContext, Outcome } from '../../context/command.js';
import { sessionOptions, type DevOptions } from './session-options.js';
import { platformVersion } from '../../context/version.js';
import { renderBanner } from './banner.js';
import type { PlatformAddresses } from './exec-after-start.js';
import { createReporter } from './reporter.js';
import { runToEnd, type Announced } from './run-to-end.js';

export async function runDev(context: CommandContext, folder: string, options: DevOptions): Promise<Outcome> {
  const { io, style } = context;
  const began = io.clock.monotonic();
  const { startSession } = await import('../../../dev/index.js');
  const reporter = createReporter(context, !options.exec);
  const session = await startSession(await sessionOptions(context, folder, options), reporter.tell);
  if (!session) return { kind: 'findings' };
  const announce = (): Announced => {
    const { installation, publicEndpoint } = session.emulator.primary();
    const urls = addressesAt(session, publicEndpoint);
    const { runtime } = session;
    const ready = {
      type: 'ready',
      platformVersion,
      pid: io.pid,
      urls,
      installation,
      runtime,
      pages: session.mounted,
    };
    const readyInMs = Math.round(io.clock.monotonic() - began);
    const hotkeys = context.interactive && !options.exec;
    const facts = {
      title: session.integration().title,
      platformVersion,
      // The links contain keys, so they are printed only to a terminal. Other output may end up in a log.
      urls: io.stdout.isTTY ? { ...urls, site: session.siteLink, console: session.consoleLink } : urls,
      pages: session.mounted.map((path) => relativePath(context.cwd, path) || '.'),
      runtime,
      readyInMs,
      notes: [...notesInPlace(session), ...notesOn(session, options)],
      hotkeys,
      width: io.stdout.isTTY ? context.width : Infinity,
    };
    reporter.ready(ready, renderBanner(facts, style));
    return { ready, urls };
  };
  return runToEnd(context, session, options, announce, () => firstSecret(session));
}

/**
 * The command may start a receiver that verifies signatures with this secret. If webhooks are not working, a warning has
 * already been printed.
 */
const firstSecret = ({ emulator }: Session): Promise<string | undefined> =>
  emulator.webhooks.use(({ endpoints }) => endpoints.list()[0]?.secret).catch(() => undefined);

const addressesAt = (
  { origin, consoleOrigin, siteOrigin }: Session,
  publicEndpoint: string,
): PlatformAddresses => ({
  site: `${siteOrigin}/`,
  console: `${consoleOrigin}/`,
  envelope: `${origin}/v1`,
  api: `${origin}/api`,
  publicEndpoint,
});

function notesOn(
  { first, takenPort, hasScript, nodeModules }: Session,
  { oauth, oauthProvider }: Pick<DevOptions, 'oauth' | 'oauthProvider'>,
): string[] {
  return [
    ...(first
      ? [
          `Another session is already running in this folder (process ${first.pid}). Commands in other terminals use that session.`,
        ]
      : []),
    ...(takenPort === undefined
      ? []
      : [
          `Port ${takenPort} is in use, so the next free port is used. URLs that you registered elsewhere, such as redirect URLs, may still contain port ${takenPort}.`,
        ]),
    ...(oauthProvider === 'local'
      ? ['Users connect to the built-in OAuth provider, which replaces the real one.']
      : oauth === 'ask'
        ? []
        : [
            '--oauth changes only how the built-in OAuth provider responds. To use it, add --oauth-provider local.',
          ]),
    ...(nodeModules
      ? ['With nodejs_compat, the script can import Node modules, so these imports are not reported.']
      : []),
    ...(hasScript()
      ? []
      : ['The manifest has no script. The console and webhooks work, but no events are handled.']),
  ];
}

/** What differs in a project that was made for another platform. */
function notesInPlace({ profile, folder, runtime }: Session): string[] {
  if (!profile)
    return foreignManifests(folder).map(
      (file) => `${basename(file)} is not used, because the folder also has ${manifestFileName}.`,
    );
  const version = profile.runtime && installedVersion(profile.runtime, folder);
  const script = profile.runtime
    ? `its own ${profile.runtime}${version === undefined ? ', which is not installed' : ` ${version}`}`
    : 'the runtime that it imports, built as most bundlers for workers do it';
  return [
    `This is a project for ${profile.name}. The script runs as it is, with ${script}. Only .platform is written. "platform docs fidelity" lists what is emulated.`,
    ...(runtime.name === 'node'
      ? [
          `The script runs in Node, without cloudflare:* modules. Its production runtime is workerd, which can be installed beside the project: ${installCommand(folder)}`,
        ]
      : []),
  ];
}

function installedVersion(name: string, folder: string): string | undefined {
  const file = findUp(folder, `node_modules/${name}/package.json`);
  const version = file && recordAt(parseJson(readFileSync(file, 'utf8'), undefined))['version'];
  return typeof version === 'string' ? version : undefined;
}
