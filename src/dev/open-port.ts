import { UserError } from '../base/user-error.js';

export interface PortChoice {
  option: '--port' | '--console-port';
  /** The port from the command line. No other port is tried. */
  named: number | undefined;
  /** The program that uses a port, if the system reports it. */
  ownerOf(port: number): Promise<string | undefined>;
}

interface Opened<T> {
  listener: T;
  /** The first default port, if it was in use and another one was opened. */
  instead: number | undefined;
}

/** Opens the port that was chosen, or else the first free default port. With port 0, the system chooses. */
export async function openPort<T>(
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
