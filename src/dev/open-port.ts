import { UserError } from '../diagnostics/user-error.js';

export interface PortChoice {
  port: number;
  /** The author has named it: another one would not do. */
  exact: boolean;
  /** Who holds a port, where the system tells. */
  ownerOf(port: number): Promise<string | undefined>;
}

const tries = 100;

/** Opens the port that was named, or the first free one from there on. */
export async function openPort<T>(
  { port, exact, ownerOf }: PortChoice,
  open: (port: number) => Promise<T>,
): Promise<T> {
  for (let candidate = port; ; candidate++) {
    try {
      return await open(candidate);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES')
        throw new UserError(
          'port-denied',
          `You may not open port ${candidate}.`,
          'Choose one above 1023: --port 4100',
        );
      if (code !== 'EADDRINUSE') throw error;
      if (exact) throw await taken(candidate, ownerOf);
      if (candidate === port + tries) throw await taken(port, ownerOf);
    }
  }
}

async function taken(port: number, ownerOf: PortChoice['ownerOf']): Promise<UserError> {
  const owner = await ownerOf(port);
  return new UserError(
    'port-taken',
    owner ? `Port ${port} is taken by ${owner}.` : `Port ${port} is taken by another program.`,
    'Stop that program, or leave --port out to use the next free one.',
  );
}
