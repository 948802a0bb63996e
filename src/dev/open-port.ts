import { UserError } from '../base/user-error.js';

export interface PortChoice {
  option: '--port' | '--console-port';
  /** From the command line. Another port would not do. */
  named: number | undefined;
  /** The program that uses a port, if the system reports it. */
  ownerOf(port: number): Promise<string | undefined>;
}

interface Opened<T> {
  listener: T;
  /** The first usual port, where it was taken and another one was opened. */
  instead: number | undefined;
}

/** The port that was named, or the first free one of the usual ones. Port 0 lets the system choose. */
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
        throw new UserError('port-denied', `You may not open port ${port}.`, hint);
      }
      if (code !== 'EADDRINUSE') throw error;
      if (named !== undefined) throw await taken(port, choice);
      if (port === last) {
        const message = `All ports from ${first} to ${last} are taken.`;
        throw new UserError('port-taken', message, `Name a free one with ${choice.option}.`);
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
      ? `Stop that program, name another port in platform.dev.yaml, or give one with ${option}.`
      : `Stop that program, or leave ${option} out to use a free one.`,
  );
}
