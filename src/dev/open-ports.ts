import type { Timers } from '../base/clock.js';
import { randomLoopback } from '../base/node/random-loopback.js';
import { UserError } from '../base/user-error.js';
import { listen, type Emulator, type Listener } from '../emulator/index.js';

export interface PortChoice {
  option: '--port' | '--console-port' | '--site-port';
  /** The port that was given on the command line, if any. If set, no other port is tried. */
  named: number | undefined;
  /** Returns the program that is using a port, if the system reports it. */
  ownerOf(port: number): Promise<string | undefined>;
}

interface Ports {
  port: PortChoice;
  consolePort: PortChoice;
  sitePort: PortChoice;
}

const publicPorts = { first: 4100, last: 4199 };

/** Lets the system choose a new port each time. */
const chosenBySystem = { first: 0, last: 0 };

function rejectSamePort({ port, consolePort, sitePort }: Ports, settings: { port?: number }): void {
  const wanted = [
    { for: 'the public endpoints', number: port.named ?? settings.port },
    { for: 'the console', number: consolePort.named },
    { for: 'the site', number: sitePort.named },
  ];
  for (const [at, { for: second, number }] of wanted.entries()) {
    const first = wanted.slice(0, at).find((other) => number && other.number === number);
    if (!first) continue;
    throw new UserError(
      'same-port',
      `Port ${number} is set twice: for ${first.for} and for ${second}.`,
      'They need different ports. Without options, the system chooses the ports of the console and the site.',
    );
  }
}

/**
 * Opens the three ports. They respond with 503 until the platform is ready. The console and the site are opened on random
 * addresses, for which no browser has stored anything of another program. macOS cannot listen on these addresses, and a browser
 * on Windows cannot reach them in WSL.
 */
export async function openPorts(
  ports: Ports & { timers: Timers; platform: string; env: Readonly<Record<string, string | undefined>> },
  { lastPort, ...settings }: { port?: number; lastPort?: number | undefined },
) {
  const { port, consolePort, sitePort, timers, platform, env } = ports;
  const hasAddresses = platform !== 'darwin' && env['WSL_DISTRO_NAME'] === undefined;
  rejectSamePort(ports, settings);
  const open: Listener[] = [];
  let closed: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    for (const listener of open.toReversed()) await listener.close();
  };
  /** Closes the ports. Later calls have no effect. */
  const close = (): Promise<void> => (closed ??= closeAll());
  // Opens a port with a higher limit for headers. Browsers store up to 180 cookies of 4 KiB for 127.0.0.1, and a
  // program on any port can set them.
  const forBrowsers = async ({ named }: PortChoice, port: number): Promise<Listener> => {
    const open = (address?: string): Promise<Listener> =>
      listen({ port, timers, headKiB: 1024, ...(address && { address }) });
    // A port that is forwarded is forwarded to 127.0.0.1.
    return named === undefined && hasAddresses ? open(randomLoopback()).catch(() => open()) : open();
  };
  const add = async (
    choice: Chosen,
    start: (port: number) => Promise<Listener>,
  ): Promise<Opened<Listener>> => {
    const opened = await openPort(choice, start);
    open.push(opened.listener);
    return opened;
  };
  try {
    const { listener, instead } = await add(
      { ...port, settings: settings.port, usual: publicPorts, before: lastPort },
      (port) => listen({ port, timers }),
    );
    const { listener: console_ } = await add(
      { ...consolePort, settings: undefined, usual: chosenBySystem },
      (port) => forBrowsers(consolePort, port),
    );
    const { listener: site } = await add(
      { ...sitePort, settings: undefined, usual: chosenBySystem },
      (port) => forBrowsers(sitePort, port),
    );
    return {
      origin: listener.origin,
      consoleOrigin: console_.origin,
      siteOrigin: site.origin,
      /** The default port, if it was already in use. */
      takenPort: instead,
      serve(
        { fetch, fetchConsole }: Pick<Emulator, 'fetch' | 'fetchConsole'>,
        fetchSite: (request: Request) => Promise<Response>,
      ) {
        listener.serve(fetch);
        console_.serve(fetchConsole);
        site.serve(fetchSite);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Chosen extends PortChoice {
  settings: number | undefined;
  usual: { first: number; last: number };
  /** The port of the last session. It is tried first if it is a default port. */
  before?: number | undefined;
}

interface Opened<T> {
  listener: T;
  /** The port that would have been opened if it had not been in use. */
  instead: number | undefined;
}

/** Opens the chosen port. If none was chosen, opens the first free default port. If the port is 0, the system chooses one. */
export async function openPort<T>(choice: Chosen, open: (port: number) => Promise<T>): Promise<Opened<T>> {
  const { first, last } = choice.usual;
  const named = choice.named ?? choice.settings;
  const usual = Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
  const again = usual.filter((port) => port === choice.before);
  const candidates = named === undefined ? [...again, ...usual] : [named];
  for (const port of candidates) {
    try {
      return { listener: await open(port), instead: port === candidates[0] ? undefined : candidates[0] };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows reserves ranges of ports, also above 1023.
      if (code === 'EACCES' && (named !== undefined || port < 1024)) {
        const hint = `Choose ${port < 1024 ? 'one above 1023, such as 4100' : 'another one'}.`;
        throw new UserError('port-denied', `You do not have permission to open port ${port}.`, hint);
      }
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
      if (named !== undefined) throw await taken(port, choice);
    }
  }
  const message = `All ports from ${first} to ${last} are in use.`;
  throw new UserError('port-taken', message, `Choose a free port with ${choice.option}.`);
}

async function taken(port: number, { option, named, ownerOf }: PortChoice): Promise<UserError> {
  const owner = await ownerOf(port);
  return new UserError(
    'port-taken',
    `Port ${port} is in use by ${owner ?? 'another program'}.`,
    named === undefined
      ? `Stop that program, set another port in platform.dev.yaml, or choose one with ${option}.`
      : `Stop that program, or leave out ${option} to use a free port.`,
  );
}
