/** SIGPIPE: the reader of standard output has gone. */
export type Interruption = 'SIGINT' | 'SIGTERM' | 'SIGPIPE';

/** A reader that has gone away (`platform rules | head`) is no error. */
const codes: Readonly<Record<Interruption, number>> = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 0 };

export const interruptionCode = (by: Interruption): number => codes[by];
