import type { Timers } from '../base/clock.js';
import { UserError } from '../base/user-error.js';
import { listen, type Emulator } from '../emulator/index.js';
import type { DevSettings } from '../manifest/index.js';
import type { Closing } from './closing.js';
import { openPort, type PortChoice } from './open-port.js';

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
export async function openSessionPorts(
  ports: Ports & { timers: Timers },
  settings: DevSettings,
  closing: Closing,
): Promise<Listening> {
  const { port, consolePort, timers } = ports;
  refuseSamePort(ports, settings);
  const { listener, instead } = await openPort(
    { ...port, settings: settings.port, usual: publicPorts },
    (port) => listen({ port, timers }),
  );
  closing.add(listener.close);
  const { listener: consoleListener } = await openPort(
    { ...consolePort, settings: settings.consolePort, usual: chosenBySystem },
    // A browser keeps up to 180 cookies of 4 KiB for 127.0.0.1, and any program on any port may set them.
    (port) => listen({ port, timers, headKiB: 1024 }),
  );
  closing.add(consoleListener.close);
  return {
    origin: listener.origin,
    consoleOrigin: consoleListener.origin,
    takenPort: instead,
    serve({ fetch, fetchConsole }) {
      listener.serve(fetch);
      consoleListener.serve(fetchConsole);
    },
  };
}
