/** SIGHUP: the terminal was closed. SIGPIPE: standard output was closed. */
export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGPIPE';

/** Closing standard output (`platform rules | head`) is not an error. */
const codes: Readonly<Record<Interruption, number>> = {
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
  SIGPIPE: 0,
};

export const interruptionCode = (by: Interruption): number => codes[by];
