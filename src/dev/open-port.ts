import { UserError } from '../diagnostics/user-error.js';

export interface PortChoice {
  /** The one that the author has named. Another one would not do. */
  named?: { port: number; in: '--port' | 'platform.dev.yaml' };
  /** Who holds a port, where the system tells. */
  ownerOf(port: number): Promise<string | undefined>;
}

const usual = 4100;
const tries = 100;

interface Opened<T> {
  listener: T;
  /** The usual port, where it was taken and another one was opened. */
  instead: number | undefined;
}

/** Opens the port that was named, or the first free one from the usual one on. */
export async function openPort<T>(
  choice: PortChoice,
  open: (port: number) => Promise<T>,
): Promise<Opened<T>> {
  const { named } = choice;
  const wanted = named?.port ?? usual;
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
      if (named || port === usual + tries) throw await taken(wanted, choice);
    }
  }
}

async function taken(port: number, { named, ownerOf }: PortChoice): Promise<UserError> {
  const owner = await ownerOf(port);
  return new UserError(
    'port-taken',
    `Port ${port} is taken by ${owner ?? 'another program'}.`,
    named?.in === 'platform.dev.yaml'
      ? 'Stop that program, name another port in platform.dev.yaml, or give one with --port.'
      : 'Stop that program, or leave --port out to use the next free one.',
  );
}
