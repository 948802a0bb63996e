import type { Timers } from '../base/clock.js';
import { UserError } from '../base/user-error.js';
import { listen, type Emulator } from '../emulator/index.js';
import type { DevSettings } from '../manifest/index.js';

export interface PortChoice {
  option: '--port' | '--console-port';
  /** The port from the command line. No other port is tried. */
  named: number | undefined;
  /** The program that uses a port, if the system reports it. */
  ownerOf(port: number): Promise<string | undefined>;
}

interface Ports {
  port: PortChoice;
  consolePort: PortChoice;
}

interface Listening {
  origin: string;
  consoleOrigin: string;
  /** The default port, if it was in use. */
  takenPort: number | undefined;
  serve(platform: Pick<Emulator, 'fetch' | 'fetchConsole'>): void;
  /** Closes both ports, once. */
  close(): Promise<void>;
}

const publicPorts = { first: 4100, last: 4199 };

/**
 * A new port each time, so that browsers do not reuse anything from an earlier console, and no other program
 * can wait on the port.
 */
const chosenBySystem = { first: 0, last: 0 };

function refuseSamePort({ port, consolePort }: Ports, settings: DevSettings): void {
  const wanted = port.named ?? settings.port;
  if (wanted === undefined || wanted === 0 || wanted !== (consolePort.named ?? settings.consolePort)) return;
  throw new UserError(
    'same-port',
    `Port ${wanted} is set twice: for the public endpoints and for the console.`,
    'They need different ports. Without --console-port and consolePort, the system chooses a port for the console.',
  );
}

/** Opens both ports, which respond with 503 until they serve the platform. */
export async function openPorts(
  ports: Ports & { timers: Timers },
  settings: DevSettings,
): Promise<Listening> {
  const { port, consolePort, timers } = ports;
  refuseSamePort(ports, settings);
  const { listener, instead } = await openPort(
    { ...port, settings: settings.port, usual: publicPorts },
    (port) => listen({ port, timers }),
  );
  const { listener: consoleListener } = await openPort(
    { ...consolePort, settings: settings.consolePort, usual: chosenBySystem },
    // A browser keeps up to 180 cookies of 4 KiB for 127.0.0.1, and any program on any port may set them.
    (port) => listen({ port, timers, headKiB: 1024 }),
  ).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await consoleListener.close();
    await listener.close();
  };
  return {
    origin: listener.origin,
    consoleOrigin: consoleListener.origin,
    takenPort: instead,
    serve({ fetch, fetchConsole }) {
      listener.serve(fetch);
      consoleListener.serve(fetchConsole);
    },
    close: () => (closed ??= close()),
  };
}

interface Opened<T> {
  listener: T;
  /** The first default port, if it was in use and another one was opened. */
  instead: number | undefined;
}

/** Opens the port that was chosen, or else the first free default port. With port 0, the system chooses. */
async function openPort<T>(
  choice: PortChoice & { settings: number | undefined; usual: { first: number; last: number } },
  open: (port: number) => Promise<T>,
): Promise<Opened<T>> {
  const { first, last } = choice.usual;
  const named = choice.named ?? choice.settings;
  const wanted = named ?? first;
  for (let port = wanted; ; port++) {
    try {
      return { listener: await open(port), instead: port === wanted ? undefined : wanted };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES') {
        const hint = 'Choose one above 1023, such as 4100.';
        throw new UserError('port-denied', `You do not have permission to open port ${port}.`, hint);
      }
      if (code !== 'EADDRINUSE') throw error;
      if (named !== undefined) throw await taken(port, choice);
      if (port === last) {
        const message = `All ports from ${first} to ${last} are in use.`;
        throw new UserError('port-taken', message, `Choose a free port with ${choice.option}.`);
      }
    }
  }
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
