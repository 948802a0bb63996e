import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { createDeferred } from '../base/deferred.js';
import { createListeners } from '../base/listeners.js';
import { relativePath } from '../base/node/relative-path.js';
import { errorMessage } from '../base/text/error-message.js';
import { isUserError, UserError } from '../base/user-error.js';
import type { Content } from '../content/index.js';
import { createStorms, type EmulatorEvent, type SessionIntegration } from '../emulator/index.js';
import { findClashes, loadManifest, type DevSettings } from '../manifest/index.js';
import { allIntegrations } from '../protocol/integration.js';
import type { SitePlatform } from '../site/site-options.js';
import { claimSession, consoleLink, siteLink, stateFolderOf, type SessionClaim } from './claim-session.js';
import { closePatiently, createClosing, type Closing } from './closing.js';
import { createSiteLoader } from './create-site-loader.js';
import type { SessionEvent } from './events/session-event.js';
import { createMount, type Mount } from './mount-content.js';
import { openMember, readMember, type Member, type ReadMember } from './open-member.js';
import { openPorts } from './open-ports.js';
import { openState } from './open-state.js';
import { readPrivateFile, replacePrivateFile } from './private-file.js';
import { createBuilder } from './reload/builder.js';
import { routeRequests } from './route-requests.js';
import type { SessionOptions } from './session-options.js';
import { firstSettings } from './settings/follow-settings.js';
import { createAwakeLimit } from './sleeping-script.js';
import { isSessionRunning } from './start-session.js';

/** What several integrations share: the ports, the console, and the site with its organization and pages. */
export type FrontOptions = Omit<SessionOptions, 'manifestFile'> & {
  /** The folder whose `platform.dev.yaml` describes the organization, its sites and spaces. */
  folder: string;
  tell(event: SessionEvent): void;
};

export interface Listed {
  options: SessionOptions;
  tell(event: SessionEvent): void;
}

/** One of several integrations. If it cannot be opened, the others run without it. */
interface Seat extends Listed {
  id: string;
  key: string;
  folder: string;
  closing: Closing;
  /** What its last requests still use, so it closes after the ports. */
  base: Closing;
  stopping: AbortController;
  /** Resolves when it is open or has failed. */
  opening?: Promise<boolean>;
  claim?: SessionClaim;
  read?: ReadMember;
  member?: Member;
  /** Why it is not running. */
  reason?: string;
}

export type FrontSession = NonNullable<Awaited<ReturnType<typeof startFront>>>;

/** Starts a session of several integrations. Resolves to undefined if one of them is broken and the session may not wait. */
export async function startFront(front: FrontOptions, listed: readonly Listed[]) {
  const closing = createClosing();
  try {
    const session = await openFront(front, listed, closing);
    if (!session) await closing.close();
    return session;
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function openFront(front: FrontOptions, listed: readonly Listed[], closing: Closing) {
  const { folder, timers, clock, siteKey, tell, patient } = front;
  const settings = await firstSettings(folder, undefined, tell);
  if (!settings) return undefined;
  const stopping = new AbortController();
  const signal = AbortSignal.any([front.signal, stopping.signal]);
  setMaxListeners(0, signal, front.signal);
  const key = randomBytes(16).toString('base64url');
  const seats: Seat[] = [];
  const storms = createStorms();
  let taken = 0;
  const addSeat = ({ options, tell: tellOf }: Listed): Seat => {
    const stop = new AbortController();
    const own = {
      ...options,
      signal: AbortSignal.any([signal, stop.signal]),
      siteKey,
      standby: false,
      storms,
      integrations: () => [
        ...seats.map((seat) => ({ ...describeSeat(seat), key: seat.key })),
        { name: allIntegrations, title: 'All integrations', running: true, key },
      ],
    };
    const seat: Seat = {
      id: String((taken += 1)),
      key: options.token,
      folder: dirname(options.manifestFile),
      options: own,
      tell: tellOf,
      closing: createClosing(),
      base: createClosing(),
      stopping: stop,
    };
    seats.push(seat);
    return seat;
  };
  for (const one of listed) addSeat(one);
  const running = () => seats.filter((seat): seat is Seat & { member: Member } => seat.member !== undefined);

  // A member's folder already has a session file of its own.
  const root = seats.some((seat) => seat.folder === folder)
    ? undefined
    : await claimSession(folder, { ...claimantOf(front), token: key, mayBeSecond: true });
  closing.add(() => root?.release());
  closing.add(async () => void (await Promise.all(seats.map(({ base }) => base.close()))));
  const {
    serve,
    close: closePorts,
    ...ports
  } = await openPorts(front, { ...settings, lastPort: root?.lastPort });
  closing.add(closePorts);

  let mount: Mount | undefined;
  closing.add(() => mount?.close());
  const contents = new Map<string, Content>();
  const events = createListeners<EmulatorEvent>();
  const limit = createAwakeLimit();
  const mounted = createDeferred<void>();

  const announce = (): void => {
    const { origin, consoleOrigin, siteOrigin } = ports;
    const integrations = seats
      .filter(({ claim }) => claim)
      .map((seat) => ({ name: nameOf(seat), token: seat.key, folder: seat.folder }));
    const shared = { origin, consoleOrigin, siteOrigin, siteKey, integrations };
    root?.announce(shared);
    for (const seat of seats) seat.claim?.announce({ ...shared, integration: nameOf(seat) });
  };
  let clashes = '';
  /** Tells each integration what an earlier one also claims, whenever this has changed. */
  const tellClashes = (): void => {
    const read = seats.filter((seat) => seat.read);
    const manifests = read.flatMap((seat) => {
      const integration = integrationOf(seat);
      const file = seat.options.manifestFile;
      const source = {
        get text() {
          return loadManifest({ ...seat.options, file }).source.text;
        },
      };
      return integration ? [{ file, ok: true as const, value: { integration }, source }] : [];
    });
    const found = findClashes(manifests);
    if (JSON.stringify(found) === clashes) return;
    clashes = JSON.stringify(found);
    for (const { options, tell: tellOf } of read) {
      const diagnostics = found.filter(({ file }) => file === options.manifestFile);
      tellOf({ type: 'checked', by: 'content', diagnostics, sources: new Map() });
    }
  };
  const current = () => seats.flatMap((seat) => integrationOf(seat) ?? []);
  let known = '';
  let isReady = false;
  const revise = (): void => {
    const now = JSON.stringify(current());
    if (now === known) return;
    known = now;
    mount?.revise(current());
    if (!isReady) return;
    announce();
    tellClashes();
  };

  const open = async (seat: Seat, seen: () => void): Promise<boolean> => {
    const { options, closing: own, base } = seat;
    const tellSeen = (event: SessionEvent): void => {
      seat.tell(event);
      if (seat.member || event.type !== 'broken') return;
      seat.reason = 'Its manifest or its platform.dev.yaml is broken.';
      seen();
    };
    try {
      seat.claim = await claimSession(seat.folder, claimantOf(options));
      base.add(seat.claim.release);
      const builder = createBuilder(options.manifestFile, options.package.folder);
      base.add(builder.close);
      const early = { processes: undefined, builder, closing: base, began: clock.now() };
      const read = await readMember(options, early, tellSeen);
      if (!read) return false;
      warnOfWorkspace(read, settings, seat);
      seat.read = read;
      seen();
      await mounted.promise;
      options.signal.throwIfAborted();
      rejectSameName(seat, seats);
      const store = openState({ ...options, clock: read.clock }, stateFolderOf(seat.folder), (error) =>
        read.teller.tell({ type: 'warning', code: 'store', message: errorMessage(error) }),
      );
      base.add(store.close);
      const member = await openMember(options, { ...early, closing: own }, read, {
        ports,
        store,
        workspace: settings.workspace,
        limit,
        tokenQuery: `?member=${seat.id}`,
        createMount: async () => ({
          mounted: [],
          open: (space) => contents.get(space),
          check() {},
          revise,
          close() {},
        }),
      });
      seat.member = member;
      delete seat.reason;
      // Pages render their blocks again after a reload, but not because a script wakes up.
      own.add(
        member.emulator.subscribe((event) => {
          if (event.type !== 'reloaded' || !member.isWaking()) events.emit(event);
        }),
      );
      return await member.build();
    } catch (error) {
      if (options.signal.aborted) return true;
      await closeSeat(seat).catch(() => {});
      delete seat.claim;
      delete seat.member;
      seat.reason = isUserError(error) ? `${error.message} ${error.hint ?? ''}` : errorMessage(error);
      if (!patient) throw error;
      seat.tell({
        type: 'warning',
        code: 'not-opened',
        message: `This integration is not running. ${seat.reason}`,
      });
      return true;
    } finally {
      seen();
    }
  };

  const seen = seats.map(() => createDeferred<void>());
  const begin = (seat: Seat, onSeen: () => void): Promise<boolean> => {
    seat.opening = open(seat, onSeen);
    seat.opening.catch(() => {});
    return seat.opening;
  };
  const opening = seats.map((seat, nth) => begin(seat, () => seen[nth]?.resolve()));
  const leave = async (seat: Seat): Promise<void> => {
    seat.stopping.abort();
    if (!seat.member) await seat.opening?.catch(() => {});
    await seat.closing.close();
  };
  closing.add(async () => {
    stopping.abort();
    limit.close();
    mounted.resolve();
    await Promise.all(seats.map(leave));
  });
  await Promise.all(seen.map(({ promise }) => promise));
  mount = await createMount({ ...front, clock }, settings, current(), tell);
  known = JSON.stringify(current());
  const ids = root?.first || front.state === 'memory' ? undefined : join(stateFolderOf(folder), 'pages.json');
  for (const { id } of settings.workspace.spaces) {
    const content = mount.open(id, createPageIds(id, ids, front.process.userId));
    if (content) contents.set(id, content);
  }

  const site = createSiteLoader({
    folder: join(front.package.folder, 'dist/site'),
    origin: ports.siteOrigin,
    key: siteKey,
    timers,
    now: clock.now,
    platform: createSitePlatform(() => running().map(({ member }) => member), contents, events.subscribe),
  });
  closing.add(site.close);
  const routes = routeRequests(
    () =>
      seats.map((seat) => ({
        id: seat.id,
        key: seat.key,
        name: () => nameOf(seat),
        emulator: seat.member?.emulator,
        reason: seat.reason,
      })),
    { key, timers, closing: signal },
  );
  serve(routes, (request) => (running().length > 0 ? site.fetch(request) : routes.fetchConsole(request)));
  mounted.resolve();
  const isWaiting = (seat: Seat): boolean => !seat.read && seat.reason !== undefined;
  const works = await Promise.all(opening.filter((_, nth) => !isWaiting(seats[nth] as Seat)));
  if (front.signal.aborted || works.includes(false)) return undefined;
  isReady = true;
  announce();
  tellClashes();
  mount.check();

  return {
    folder,
    file: root?.file ?? seats.find((seat) => seat.folder === folder)?.claim?.file ?? '',
    first: root?.first,
    ...ports,
    consoleLink: consoleLink({ consoleOrigin: ports.consoleOrigin, token: key }),
    siteLink: siteLink({ siteOrigin: ports.siteOrigin, siteKey }),
    mounted: mount.mounted,
    members: () => seats.map((seat) => ({ ...describeSeat(seat), folder: seat.folder, member: seat.member })),
    /** Runs another integration. */
    async add(one: Listed) {
      await begin(addSeat(one), revise);
      announce();
    },
    async remove(manifestFile: string) {
      const at = seats.findIndex(({ options }) => options.manifestFile === manifestFile);
      const [seat] = at === -1 ? [] : seats.splice(at, 1);
      if (!seat) return;
      delete seat.read;
      await leave(seat);
      await seat.base.close();
      revise();
      announce();
    },
    async started() {
      for (const { member } of running()) await member.started();
    },
    async rebuild() {
      await Promise.all(running().map(({ member }) => member.rebuild()));
    },
    close: () =>
      closePatiently(closing, {
        runner: {
          unfinishedCalls: () =>
            running().reduce((sum, { member }) => sum + member.runner.unfinishedCalls(), 0),
          hasBackgroundWork: () => running().some(({ member }) => member.runner.hasBackgroundWork()),
          cutCalls: () => running().forEach(({ member }) => member.runner.cutCalls()),
        },
        timers,
        tell,
      }),
  };
}

async function closeSeat({ closing, base }: Seat): Promise<void> {
  await closing.close();
  await base.close();
}

const integrationOf = ({ member, read }: Seat) => member?.integration() ?? read?.project.manifest.integration;
const nameOf = (seat: Seat): string => integrationOf(seat)?.name ?? basename(seat.folder);

const describeSeat = (seat: Seat): Omit<SessionIntegration, 'key'> => ({
  name: nameOf(seat),
  title: integrationOf(seat)?.title ?? nameOf(seat),
  running: seat.member !== undefined,
  ...(seat.reason !== undefined && { reason: seat.reason }),
});

const claimantOf = (options: Omit<SessionOptions, 'manifestFile'>) => ({
  ...options.process,
  isAnswering: isSessionRunning,
  mayBeSecond: options.state === 'memory',
  platformVersion: options.package.version,
  token: options.token,
});

function rejectSameName(seat: Seat, seats: readonly Seat[]): void {
  const earlier = seats.slice(0, seats.indexOf(seat)).find((other) => nameOf(other) === nameOf(seat));
  if (!earlier) return;
  throw new UserError(
    'same-name',
    `Its name, ${nameOf(seat)}, is also the name of the integration in ${earlier.folder}.`,
    'Change the name in one of the manifests, and start platform dev again.',
  );
}

function warnOfWorkspace({ settings }: ReadMember, { workspace }: DevSettings, seat: Seat): void {
  const own = settings.workspace;
  if (JSON.stringify(own) === JSON.stringify(workspace)) return;
  const message = `The organizations, sites and spaces in ${relativePath(seat.folder, join(seat.folder, 'platform.dev.yaml'))} are not used, because the integrations of this session share those of the folder where it was started.`;
  seat.tell({ type: 'warning', code: 'settings', message });
}

/** Keeps the ids of pages that were moved. Without a file, they are kept in memory. */
function createPageIds(space: string, file: string | undefined, userId: number | undefined) {
  let memory: Record<string, Record<string, string>> = {};
  const read = (): typeof memory => {
    if (file === undefined) return memory;
    try {
      return JSON.parse(readPrivateFile(file, userId)?.text ?? '{}') as typeof memory;
    } catch {
      // Damaged ids count as none: the pages get the ids that their paths have.
      return {};
    }
  };
  return {
    read: () => read()[space] ?? {},
    write(moved: Record<string, string>) {
      const all = { ...read(), [space]: moved };
      if (file === undefined) memory = all;
      else replacePrivateFile(file, JSON.stringify(all));
    },
  };
}

/** The site shows blocks of all members, and each of them receives the events of readers. */
function createSitePlatform(
  running: () => readonly Member[],
  contents: ReadonlyMap<string, Content>,
  subscribe: SitePlatform['subscribe'],
): SitePlatform {
  const readers = () => running().map(({ emulator }) => emulator.readers);
  return {
    content: (space) => contents.get(space),
    subscribe,
    members: () => running().map(({ emulator, integration }) => ({ ...emulator, integration })),
    readers: {
      spaces: () => readers()[0]?.spaces() ?? [],
      urlOf: (space, page) => readers()[0]?.urlOf(space, page) ?? '',
      get calls() {
        return readers()[0]?.calls ?? '';
      },
      connect() {
        for (const one of readers()) one.connect();
        return undefined;
      },
      async view(...args) {
        await Promise.all(readers().map(({ view }) => view(...args)));
      },
      async rate(...args) {
        await Promise.all(readers().map(({ rate }) => rate(...args)));
      },
    },
  };
}
