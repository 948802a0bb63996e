import { join } from 'node:path';
import { errorMessage } from '../base/text/error-message.js';
import type { Emulator } from '../emulator/index.js';
import type { RuntimeFacts } from '../sandbox/index.js';
import type { Profile } from '../profiles/profile.js';
import { consoleLink, siteLink, stateFolderOf, type SessionClaim } from './claim-session.js';
import { closePatiently } from './closing.js';
import { openHandover } from './handover.js';
import { createSiteLoader } from './create-site-loader.js';
import type { SessionEvent } from './events/session-event.js';
import { createMount } from './mount-content.js';
import { openMember, readMember, type EarlyMember } from './open-member.js';
import { openPorts } from './open-ports.js';
import { openState } from './open-state.js';
import type { SessionOptions } from './session-options.js';
import type { Integration } from '../protocol/integration.js';
import type { Site, SiteOptions } from '../site/site-options.js';
import type { Store } from '../store/store.js';

export interface Session {
  /** The manifest's folder. */
  folder: string;
  origin: string;
  consoleOrigin: string;
  siteOrigin: string;
  /** The path of the file that commands use to find this session. */
  file: string;
  /** The session that commands in other terminals use instead of this one, because it started earlier. */
  first: { origin: string; pid: number } | undefined;
  /** The URL that opens the console. It contains this session's key, so only the author may see it. */
  consoleLink: string;
  /** The URL that opens the site. It contains the site's own key. */
  siteLink: string;
  /** The default port or the port of the last session, if it was already in use. */
  takenPort: number | undefined;
  /** The folders that are served as pages, apart from the sample pages. */
  mounted: readonly string[];
  emulator: Emulator;
  runtime: RuntimeFacts;
  /** Whether the script may import Node's modules. */
  nodeModules: boolean;
  /** Set if the project was made for another platform. */
  profile: Profile | undefined;
  integration(): Integration;
  /** Resolves when the setup events of the first build have been handled. */
  started(): Promise<void>;
  hasScript(): boolean;
  /** Opens another instance of the site, which renders blocks with `render`. */
  openStaticSite(render: Emulator['render']): Site;
  rebuild(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts all parts of the session that were not started before this module was loaded. Resolves to undefined if the session
 * was interrupted, or if the project is broken and the session may not wait.
 */
export async function openSession(
  options: SessionOptions,
  early: EarlyMember & { claim: SessionClaim },
  toTerminal: (event: SessionEvent) => void,
): Promise<Session | undefined> {
  const { claim, closing } = early;
  const { timers, token, siteKey } = options;
  const read = await readMember(options, early, toTerminal);
  if (!read) return undefined;
  const { clock, folder, settings } = read;
  const { tell } = read.teller;
  let store: Store | undefined;
  // Closes after the ports, because their last requests still use it.
  closing.add(() => store?.close());
  const {
    serve,
    close: closePorts,
    ...ports
  } = await openPorts(options, { ...settings, lastPort: claim.lastPort });
  closing.add(closePorts);
  store = openState({ ...options, clock }, stateFolderOf(folder), (error) =>
    tell({ type: 'warning', code: 'store', message: errorMessage(error) }),
  );
  const opened = await openMember(options, early, read, {
    ports,
    store,
    workspace: settings.workspace,
    createMount: (integration) => createMount({ ...options, folder, clock }, settings, [integration], tell),
  });
  const { emulator, integration } = opened;
  const member = { ...emulator, integration };
  const siteOptions: SiteOptions = {
    folder: join(options.package.folder, 'dist/site'),
    origin: ports.siteOrigin,
    key: siteKey,
    timers,
    now: clock.now,
    platform: { ...emulator, members: () => [member] },
  };
  const site = createSiteLoader(siteOptions);
  closing.add(site.close);
  const { origin, consoleOrigin, siteOrigin } = ports;
  const link = consoleLink({ consoleOrigin, token });
  const handover = await openHandover(claim.last, { consoleOrigin, link, timers });
  closing.add(handover.close);
  const fetchConsole = async (request: Request): Promise<Response> =>
    handover.respond(request) ?? emulator.fetchConsole(request);
  serve({ ...emulator, fetchConsole }, site.fetch);

  const works = await opened.build();
  if (options.signal.aborted || !works) return undefined;
  claim.announce({ origin, consoleOrigin, siteOrigin, siteKey }, emulator.streamSecret);
  if (!options.unlisted) opened.check();
  return {
    ...opened,
    file: claim.file,
    first: claim.first,
    ...ports,
    consoleLink: link,
    siteLink: siteLink({ siteOrigin, siteKey }),
    openStaticSite: (render) =>
      createSiteLoader({
        ...siteOptions,
        isStatic: true,
        platform: { ...siteOptions.platform, members: () => [{ ...member, render }] },
      }),
    hasScript: () => integration().script !== undefined,
    close: () => closePatiently(closing, { runner: opened.runner, timers, tell }),
  };
}
